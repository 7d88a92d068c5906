/** `looptag lsp` */
import { createConnection, ProposedFeatures } from 'vscode-languageserver/node';
import type { Run } from '../define.ts';
import { Server } from '../lsp/server.ts';
import type { CommonOptions } from '../workspace.ts';

/** Serves until the editor ends it; the library ends the process, as the protocol wants it. */
export function lsp(_: string[], options: CommonOptions, run: Run): Promise<number> {
  const connection = createConnection(ProposedFeatures.all, process.stdin, process.stdout);
  new Server(connection, { ...options, dist: run.dist, version: run.version });
  connection.listen();
  return new Promise(() => {});
}
