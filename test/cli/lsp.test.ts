import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type {
  CodeAction,
  CodeLens,
  Diagnostic,
  Hover,
  Location,
  Position,
  TextDocumentEdit,
  TextEdit,
} from 'vscode-languageserver-protocol';
import { FileChangeType } from 'vscode-languageserver-protocol/node';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { CAPABILITIES, Editor } from './support/editor.ts';
import { CATALOGUE, MAIN, Project, until } from './support/project.ts';

/** 0-based place inside of a text of a file. */
function at(text: string, wanted: string, shift = 14): Position {
  const before = text.slice(0, text.indexOf(wanted) + shift).split('\n');
  return { line: before.length - 1, character: before.at(-1)!.length };
}

/** A file is believed to be as it was read once its time is older than a tick of any file system's clock. */
const AGED_MS = 200;
const WATCHED = 'paths = ["apps"]\ncatalog = "docs/INV-8.md"\n';

const EVOLVER = 'create_task(run_evolver_loop())';
const untagged = (list: Diagnostic[]) => list.filter((d) => d.code === 'untagged-loop');

describe('looptag lsp', () => {
  const project = new Project().configured();
  let editor: Editor;
  let found: Diagnostic[];

  beforeAll(async () => {
    // two UTF-16 units wide and one code point
    project.edit(MAIN, (t) => t.replace(`asyncio.${EVOLVER}`, `"🔴"; asyncio.${EVOLVER}`));
    editor = await Editor.start(project.root);
    found = await editor.open(MAIN);
  });
  afterAll(() => editor.close());

  it('reports what check reports, in UTF-16 units', () => {
    const { findings } = JSON.parse(project.run('check', '--format', 'json').out);
    expect(found).toHaveLength(findings.filter((f: { file: string }) => f.file === MAIN).length);
    const evolver = untagged(found).find((d) => String(d.message).includes('run_evolver_loop'))!;
    expect(evolver.range).toEqual({ start: { line: 498, character: 14 }, end: { line: 498, character: 53 } });
    expect(evolver).toMatchObject({ severity: 1, source: 'looptag' });
  });

  it('offers to tag a loop, with the edits that migrate makes', async () => {
    const text = project.read(MAIN);
    const diagnostic = untagged(found).find((d) => String(d.message).includes('run_evolver_loop'))!;
    const asked = { range: diagnostic.range, context: { diagnostics: [diagnostic] } };
    const actions = await editor.request<CodeAction[]>('textDocument/codeAction', MAIN, asked);
    expect(actions.map((a) => a.title)).toEqual(['Tag this loop as awoooi']);
    const [change] = actions[0]!.edit!.documentChanges as TextDocumentEdit[];
    expect(change!.textDocument.uri).toBe(editor.uri(MAIN));
    const document = TextDocument.create(editor.uri(MAIN), 'python', 1, text);
    const after = TextDocument.applyEdits(document, change!.edits as TextEdit[]);
    expect(after).toContain('asyncio.create_task(_run_with_context(run_evolver_loop(), "awoooi"))');
    const copy = new Project().configured().write(MAIN, text);
    expect(copy.run('migrate', '--only', '18', '--write').code).toBe(0);
    expect(copy.read(MAIN)).toBe(after);
  });

  it('shows the row above each spawn and the evidence on hover', async () => {
    const lenses = await editor.request<CodeLens[]>('textDocument/codeLens', MAIN);
    const titles = lenses.map((l) => l.command!.title);
    expect(titles).toHaveLength(31);
    expect(titles).toContain('INV-8 #18 · class B · P2 · every 1 h');
    expect(titles).toContain('INV-8 #31? · class C · P2 · every 10 s');
    const position = at(project.read(MAIN), EVOLVER);
    const hover = await editor.request<Hover>('textDocument/hover', MAIN, { position });
    const { value } = hover.contents as { value: string };
    expect(value).toMatch(/^```text\n#18 run_evolver_loop · class B · P2 · every 1 h\n/);
    expect(value).toContain('services/playbooks/evolver.py:25');
  });

  it('goes from a spawn to its row and back', async () => {
    const position = at(project.read(MAIN), EVOLVER);
    const [row] = await editor.request<Location[]>('textDocument/definition', MAIN, { position });
    expect(row!.uri).toBe(editor.uri(CATALOGUE));
    expect(project.read(CATALOGUE).split('\n')[row!.range.start.line]).toMatch(/^\| 18 \|/);
    const from = { position: row!.range.start };
    const [spawn] = await editor.request<Location[]>('textDocument/definition', CATALOGUE, from);
    expect(spawn).toMatchObject({ uri: editor.uri(MAIN), range: { start: { line: 498, character: 14 } } });
  });

  it('has nothing to say about files that are no part of the project', async () => {
    const outside = { textDocument: { uri: 'untitled:Untitled-1' }, position: { line: 0, character: 0 } };
    expect(await editor.connection.sendRequest('textDocument/hover', outside)).toBeNull();
    expect(await editor.request('textDocument/codeLens', 'README.md')).toEqual([]);
  });
});

describe('looptag lsp with changes', () => {
  it('follows the text before it is saved; a broken configuration is said once, until it is mended', async () => {
    const project = new Project().write('looptag.toml', 'catalogue = "docs/INV-8.md"\n');
    const editor = await Editor.start(project.root);
    const text = project.read(MAIN);
    await editor.open(MAIN);
    const message = 'looptag: looptag.toml:1: unknown key "catalogue" (did you mean "catalog"?)';
    expect(editor.messages).toEqual([message]);
    await editor.change(MAIN, `${text}\n`);
    expect(editor.messages).toEqual([message]);
    project.configured();
    expect(untagged(await editor.change(MAIN, text))).toHaveLength(31);
    expect(untagged(await editor.change(MAIN, text.replace(`asyncio.${EVOLVER}`, 'pass')))).toHaveLength(30);
    expect((await editor.change(MAIN, `${text}\ndef (`)).map((d) => d.code)).toContain('syntax-error');
    expect(project.read(MAIN)).toBe(text);
    expect(await editor.close()).toBe(0);
  });

  it('leaves the work of an action until it is chosen, and hears of files changed elsewhere', async () => {
    const project = new Project().configured();
    const codeAction = { ...CAPABILITIES.textDocument!.codeAction, resolveSupport: { properties: ['edit'] } };
    const workspace = { didChangeWatchedFiles: { dynamicRegistration: true }, codeLens: { refreshSupport: true } };
    const editor = await Editor.start(project.root, { textDocument: { codeAction }, workspace });
    await editor.open(MAIN);
    const start = at(project.read(MAIN), EVOLVER);
    const asked = { range: { start, end: start }, context: { diagnostics: [] } };
    const [action] = await editor.request<CodeAction[]>('textDocument/codeAction', MAIN, asked);
    expect(action!.edit).toBeUndefined();
    const resolved = await editor.connection.sendRequest<CodeAction>('codeAction/resolve', action);
    expect(resolved.edit!.documentChanges).toHaveLength(1);

    await until(() => editor.requests.includes('client/registerCapability'), 'registration');
    const drifts = () => editor.published.get(editor.uri(CATALOGUE))?.filter((d) => d.code === 'line-drift').length;
    project.edit(CATALOGUE, (t) => t.replace('| 499 |', '| 12 |'));
    await editor.changed([CATALOGUE, FileChangeType.Changed]);
    await until(() => drifts() === 1, 'line drift');
    expect(editor.requests).toContain('workspace/codeLens/refresh');
    await editor.close();
  });

  it('asks the disk again for what it is told of, once the editor watches, and for no more', async () => {
    const project = new Project().write('looptag.toml', WATCHED);
    const editor = await Editor.start(project.root, {
      workspace: { didChangeWatchedFiles: { dynamicRegistration: true } },
    });
    await until(() => editor.requests.includes('client/registerCapability'), 'registration');
    const text = project.read(MAIN);
    await delay(AGED_MS);
    await editor.open(MAIN);
    await editor.change(MAIN, `${text}# 1\n`);
    const broken = () =>
      [...editor.published].filter(([, list]) => list.some((d) => d.code === 'syntax-error')).map(([uri]) => uri);
    const folder = join(project.root, 'apps/api/more');
    mkdirSync(folder);
    project.write('apps/api/src/jobs/__init__.py', 'def (\n').write('apps/api/more/new.py', 'def (\n');
    await editor.change(MAIN, `${text}# 2\n`);
    expect(broken()).toEqual([]);
    await editor.changed(['apps/api/src/jobs/__init__.py', FileChangeType.Changed]);
    await until(() => broken().length > 0, 'the edited file');
    expect(broken()).toEqual([editor.uri('apps/api/src/jobs/__init__.py')]);
    // a folder that came stands for the files in it
    await editor.changed(['apps/api/more', FileChangeType.Created]);
    await until(() => broken().length === 2, 'the new file');
    rmSync(folder, { recursive: true });
    await editor.changed(['node_modules/x', FileChangeType.Created]);
    await editor.change(MAIN, `${text}# 3\n`);
    expect(broken()).toHaveLength(2);
    await editor.changed(['apps/api/more', FileChangeType.Deleted]);
    await until(() => broken().length === 1, 'the removed file');
    project.write('looptag.toml', WATCHED.replace('apps', MAIN));
    await editor.changed(['looptag.toml', FileChangeType.Changed]);
    await until(() => broken().length === 0, 'the other configuration');
    await editor.close();
  });

  it('asks the disk at each look where the editor’s folders are others', async () => {
    const project = new Project().write('looptag.toml', WATCHED);
    const workspace = { didChangeWatchedFiles: { dynamicRegistration: true }, workspaceFolders: true };
    const editor = await Editor.start(project.root, { workspace }, ['docs']);
    await until(() => editor.requests.includes('client/registerCapability'), 'registration');
    const text = project.read(MAIN);
    await editor.open(MAIN);
    project.write('apps/api/more.py', 'def (\n');
    const faulty = () => editor.published.get(editor.uri('apps/api/more.py'))?.length ?? 0;
    await editor.change(MAIN, `${text}# 1\n`);
    await until(() => faulty() === 1, 'the new file');
    // a folder more: it is watched from now on
    await editor.connection.sendNotification('workspace/didChangeWorkspaceFolders', {
      event: { added: [{ uri: editor.uri('.'), name: 'all' }], removed: [{ uri: editor.uri('docs'), name: 'docs' }] },
    });
    await delay(AGED_MS);
    await editor.change(MAIN, `${text}# 2\n`);
    project.write('apps/api/more.py', '');
    await editor.change(MAIN, `${text}# 3\n`);
    expect(faulty()).toBe(1);
    await editor.changed(['apps/api/more.py', FileChangeType.Changed]);
    await until(() => faulty() === 0, 'the mended file');
    await editor.close();
  });
});

it('tells an open document of its new version, and of another file only what is new', async () => {
  const project = new Project().write('looptag.toml', WATCHED);
  const editor = await Editor.start(project.root);
  const job = 'apps/api/src/services/telegram/ready_tokens.py';
  const found = await editor.open(MAIN);
  await until(() => editor.countOf(job) > 0, 'what is said of a job');
  expect(await editor.change(MAIN, `${project.read(MAIN)}# more\n`)).toEqual(found);
  expect(await editor.change(MAIN, project.read(MAIN))).toEqual(found);
  expect(editor.countOf(job)).toBe(1);
  await editor.change(MAIN, '');
  await until(() => editor.countOf(job) > 1, 'nothing starts the job any more');
  expect(editor.published.get(editor.uri(job))).toEqual([]);
  await editor.close();
});
