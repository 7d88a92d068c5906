/** CPU of the resident language server for a one-line edit, from its own accounting in /proc. */
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** Ticks of the kernel's accounting in a second, on all of Node's Linux platforms. */
const TICKS = 100;

/** As the editors have it that people use: they tell of files that change. */
const CAPABILITIES = { workspace: { didChangeWatchedFiles: { dynamicRegistration: true } } };

function cpuOf(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ');
  return (Number(fields[11]) + Number(fields[12])) / TICKS;
}

/**
 * @param {string[]} command that starts the server on stdio
 * @param {string} file relative to `root`
 * @returns {Promise<{cpu: number, wall: number, early: number}>} seconds an edit, the first answer and as many edits for
 * V8 to warm left out; `early` is the CPU of one of these
 */
export async function edits(command, root, file, times) {
  const child = spawn(command[0], command.slice(1), { cwd: root, stdio: ['pipe', 'pipe', 'ignore'] });
  let buffer = Buffer.alloc(0);
  const waiting = [];
  child.stdout.on('data', (chunk) => {
    buffer = Buffer.concat([buffer, chunk]);
    for (;;) {
      const head = buffer.indexOf('\r\n\r\n');
      const length = Number(/Content-Length: (\d+)/.exec(buffer.subarray(0, Math.max(0, head)).toString())?.[1]);
      if (head < 0 || buffer.length < head + 4 + length) return;
      const message = JSON.parse(buffer.subarray(head + 4, head + 4 + length).toString());
      buffer = buffer.subarray(head + 4 + length);
      // what the server asks of the editor is granted
      if (message.id !== undefined && message.method) send({ id: message.id, result: null });
      const at = waiting.findIndex(({ is }) => is(message));
      if (at >= 0) waiting.splice(at, 1)[0].resolve(message);
    }
  });
  const until = (is) => new Promise((resolve) => waiting.push({ is, resolve }));
  const send = (message) => {
    const text = JSON.stringify({ jsonrpc: '2.0', ...message });
    child.stdin.write(`Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`);
  };
  const uri = pathToFileURL(join(root, file)).href;
  const published = () =>
    until((m) => m.method === 'textDocument/publishDiagnostics' && m.params.uri === uri && m.params);
  const text = readFileSync(join(root, file), 'utf8');
  send({
    id: 1,
    method: 'initialize',
    params: { processId: null, rootUri: pathToFileURL(root).href, capabilities: CAPABILITIES },
  });
  await until((m) => m.id === 1);
  send({ method: 'initialized', params: {} });
  const first = published();
  send({ method: 'textDocument/didOpen', params: { textDocument: { uri, languageId: 'python', version: 0, text } } });
  await first;
  const opened = cpuOf(child.pid);
  let [cpu, start] = [0, 0];
  for (let n = -times; n < times; n++) {
    if (n === 0) [cpu, start] = [cpuOf(child.pid), performance.now()];
    const answer = published();
    const changes = [{ text: `${text}# ${n}\n` }];
    send({
      method: 'textDocument/didChange',
      params: { textDocument: { uri, version: n + times + 1 }, contentChanges: changes },
    });
    await answer;
  }
  const used = {
    cpu: (cpuOf(child.pid) - cpu) / times,
    wall: (performance.now() - start) / 1000 / times,
    early: (cpu - opened) / times,
  };
  child.kill();
  return used;
}
