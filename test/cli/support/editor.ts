/** An editor in the small: a real client library on the other end of the server's standard input and output. */
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import {
  type ClientCapabilities,
  createProtocolConnection,
  type Diagnostic,
  DidChangeWatchedFilesNotification,
  type FileChangeType,
  type ProtocolConnection,
  PublishDiagnosticsNotification,
  ShowMessageNotification,
  StreamMessageReader,
  StreamMessageWriter,
} from 'vscode-languageserver-protocol/node';
import { BIN, ENV, until } from './project.ts';

export const CAPABILITIES: ClientCapabilities = {
  textDocument: {
    hover: { contentFormat: ['markdown', 'plaintext'] },
    codeAction: { codeActionLiteralSupport: { codeActionKind: { valueSet: ['quickfix'] } } },
  },
};

export class Editor {
  readonly published = new Map<string, Diagnostic[]>();
  /** How often diagnostics of a document came. */
  private readonly counts = new Map<string, number>();
  readonly messages: string[] = [];
  readonly requests: string[] = [];
  private versions = new Map<string, number>();

  private constructor(
    readonly root: string,
    readonly connection: ProtocolConnection,
    readonly ended: Promise<number | null>,
  ) {
    connection.onNotification(PublishDiagnosticsNotification.type, ({ uri, diagnostics }) => {
      this.published.set(uri, diagnostics);
      this.counts.set(uri, (this.counts.get(uri) ?? 0) + 1);
    });
    connection.onNotification(ShowMessageNotification.type, ({ message }) => void this.messages.push(message));
    // the catch-all handler is missing from the protocol's own types
    (connection.onRequest as unknown as (handler: (method: string) => null) => void)((method) => {
      this.requests.push(method);
      return null;
    });
    connection.listen();
  }

  /** @param folders - the workspace's, relative to the root; by default the root itself, said the old way. */
  static async start(
    root: string,
    capabilities: ClientCapabilities = CAPABILITIES,
    folders: string[] | null = null,
  ): Promise<Editor> {
    const child = spawn(process.execPath, [BIN, 'lsp', '--stdio'], {
      cwd: root,
      env: ENV,
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
    const connection = createProtocolConnection(
      new StreamMessageReader(child.stdout),
      new StreamMessageWriter(child.stdin),
    );
    const editor = new Editor(root, connection, ended);
    await connection.sendRequest('initialize', {
      processId: process.pid,
      rootUri: pathToFileURL(root).href,
      workspaceFolders: folders?.map((name) => ({ uri: editor.uri(name), name })) ?? null,
      capabilities,
    });
    await connection.sendNotification('initialized', {});
    return editor;
  }

  uri(file: string): string {
    return pathToFileURL(join(this.root, file)).href;
  }

  async open(file: string, text = readFileSync(join(this.root, file), 'utf8')): Promise<Diagnostic[]> {
    const before = this.countOf(file);
    this.versions.set(file, 1);
    const languageId = file.endsWith('.md') ? 'markdown' : 'python';
    const textDocument = { uri: this.uri(file), languageId, version: 1, text };
    await this.connection.sendNotification('textDocument/didOpen', { textDocument });
    return this.next(file, before);
  }

  /** The whole text anew, as a change of an open document. */
  async change(file: string, text: string): Promise<Diagnostic[]> {
    const before = this.countOf(file);
    const version = (this.versions.get(file) ?? 0) + 1;
    this.versions.set(file, version);
    const textDocument = { uri: this.uri(file), version };
    await this.connection.sendNotification('textDocument/didChange', { textDocument, contentChanges: [{ text }] });
    return this.next(file, before);
  }

  countOf(file: string): number {
    return this.counts.get(this.uri(file)) ?? 0;
  }

  private async next(file: string, before: number): Promise<Diagnostic[]> {
    await until(() => this.countOf(file) > before, `diagnostics of ${file}`);
    return this.published.get(this.uri(file)) ?? [];
  }

  request<T>(method: string, file: string, more: object = {}): Promise<T> {
    return this.connection.sendRequest(method, { textDocument: { uri: this.uri(file) }, ...more });
  }

  /** Tells of changes on disk, as an editor that watches does. */
  changed(...files: [file: string, type: FileChangeType][]): Promise<void> {
    const changes = files.map(([file, type]) => ({ uri: this.uri(file), type }));
    return this.connection.sendNotification(DidChangeWatchedFilesNotification.type, { changes });
  }

  async close(): Promise<number | null> {
    await this.connection.sendRequest('shutdown');
    await this.connection.sendNotification('exit');
    return this.ended;
  }
}
