/** The language server: hands requests to the session of the project that a document belongs to. */
import { resolve } from 'node:path';
import {
  type CodeAction,
  CodeActionKind,
  type CodeActionParams,
  type Connection,
  type Diagnostic,
  DidChangeWatchedFilesNotification,
  FileChangeType,
  type FileEvent,
  type InitializeParams,
  type InitializeResult,
  MessageType,
  ResponseError,
  ShowMessageNotification,
  TextDocumentSyncKind,
  TextDocuments,
} from 'vscode-languageserver/node';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { below } from '../../io/watch.ts';
import { findRoot } from '../config.ts';
import { Trouble } from '../trouble.ts';
import type { CommonOptions } from '../workspace.ts';
import { decisionsAt, definition, diagnostics, hover, lenses } from './features.ts';
import { type DiskChange, Session, type Snapshot } from './session.ts';
import { tagEdit, taggable } from './tag-action.ts';
import { insideOf, pathOf, uriOf } from './text.ts';

interface ServerOptions extends CommonOptions {
  dist: URL;
  version: string;
}

/** While somebody types. */
const TYPING_MS = 120;
/** `RequestFailed` of the protocol: the reason is for the user. */
const REQUEST_FAILED = -32803;

export class Server {
  private readonly documents = new TextDocuments(TextDocument);
  private readonly sessions = new Map<string, Session>();
  private readonly timers = new Map<Session, NodeJS.Timeout>();
  /** What was published last, by the file. */
  private readonly published = new Map<Session, Map<string, string>>();
  private readonly complaints = new Map<Session, string>();
  private client: InitializeParams['capabilities'] = {};
  /** URIs of the folders that the editor has open. */
  private folders: string[] = [];
  /** Does the editor tell of changes in them? */
  private watching = false;

  constructor(
    private readonly connection: Connection,
    private readonly options: ServerOptions,
  ) {
    connection.onInitialize((params) => this.initialize(params));
    connection.onInitialized(() => this.initialized());
    connection.onDidChangeWatchedFiles(({ changes }) => this.changedOnDisk(changes));
    connection.onCodeLens(({ textDocument }) => this.answer(textDocument.uri, [], (file, s) => lenses(file, s)));
    connection.onHover(({ textDocument, position }) => {
      const kind =
        this.client.textDocument?.hover?.contentFormat?.includes('markdown') === false ? 'plaintext' : 'markdown';
      return this.answer(textDocument.uri, null, (file, s) => hover(file, position, s, kind));
    });
    connection.onDefinition(({ textDocument, position }) =>
      this.answer(textDocument.uri, [], (file, s, session) => definition(file, position, s, this.uriIn(session))),
    );
    connection.onCodeAction((params) => this.codeActions(params));
    connection.onCodeActionResolve((action) => this.resolveAction(action));
    this.documents.onDidOpen(({ document }) => this.changed(document, 0));
    this.documents.onDidChangeContent(({ document }) => this.changed(document, TYPING_MS));
    this.documents.onDidSave(({ document }) => this.changed(document, 0));
    this.documents.onDidClose(({ document }) => this.closed(document.uri));
    this.documents.listen(connection);
  }

  private initialize({ capabilities, workspaceFolders, rootUri }: InitializeParams): InitializeResult {
    this.client = capabilities;
    this.folders = workspaceFolders?.map(({ uri }) => uri) ?? (rootUri ? [rootUri] : []);
    return {
      serverInfo: { name: 'looptag', version: this.options.version },
      capabilities: {
        positionEncoding: 'utf-16',
        textDocumentSync: { openClose: true, change: TextDocumentSyncKind.Incremental, save: true },
        codeLensProvider: {},
        hoverProvider: true,
        definitionProvider: true,
        codeActionProvider: { codeActionKinds: [CodeActionKind.QuickFix], resolveProvider: true },
        workspace: { workspaceFolders: { supported: true, changeNotifications: true } },
      },
    };
  }

  private initialized(): void {
    const { workspace } = this.client;
    if (workspace?.workspaceFolders)
      this.connection.workspace.onDidChangeWorkspaceFolders(({ added, removed }) => {
        const gone = new Set(removed.map(({ uri }) => uri));
        this.folders = [...this.folders.filter((uri) => !gone.has(uri)), ...added.map(({ uri }) => uri)];
        this.rewatch();
      });
    if (!workspace?.didChangeWatchedFiles?.dynamicRegistration) return;
    // all names: folders come and go too
    this.connection.client
      .register(DidChangeWatchedFilesNotification.type, { watchers: [{ globPattern: '**/*' }] })
      .then(
        () => {
          this.watching = true;
          this.rewatch();
        },
        // a client that refuses still tells of what it opens, changes and saves
        () => {},
      );
  }

  /** The editor watches what is in its folders, and nothing else. */
  private rewatch(): void {
    for (const session of this.sessions.values()) session.watched(this.isWatched(session.root));
  }

  private isWatched(root: string): boolean {
    // by its name alone: of what is gone nobody can tell where a link led to it
    const holds = (uri: string): boolean => {
      const folder = pathOf(uri);
      return folder !== null && below(folder, root) !== null;
    };
    return this.watching && this.folders.some(holds);
  }

  /** The session of a document, and its path inside of it. */
  private place(uri: string): { session: Session; file: string } | null {
    const path = pathOf(uri);
    if (path === null) return null;
    const root = this.options.root === undefined ? findRoot(resolve(path, '..')) : resolve(this.options.root);
    const file = insideOf(root, path);
    if (file === null) return null;
    let session = this.sessions.get(root);
    if (!session) {
      session = new Session(root, this.options, this.options.dist);
      session.watched(this.isWatched(root));
      this.sessions.set(root, session);
    }
    return { session, file };
  }

  private changed(document: TextDocument, delay: number): void {
    const at = this.place(document.uri);
    if (!at) return;
    at.session.set(at.file, document.getText());
    this.schedule(at.session, delay);
  }

  private closed(uri: string): void {
    const at = this.place(uri);
    if (!at) return;
    at.session.set(at.file, null);
    this.schedule(at.session, 0);
  }

  private changedOnDisk(changes: readonly FileEvent[]): void {
    for (const session of this.sessions.values()) {
      const own = changes.flatMap(({ uri, type }): DiskChange[] => {
        const path = pathOf(uri);
        const file = path === null ? null : insideOf(session.root, path);
        return file === null ? [] : [{ file, same: type === FileChangeType.Changed }];
      });
      if (session.changedOnDisk(own)) this.schedule(session, TYPING_MS);
    }
  }

  private schedule(session: Session, delay: number): void {
    clearTimeout(this.timers.get(session));
    this.timers.set(
      session,
      setTimeout(() => void this.publish(session), delay),
    );
  }

  private async publish(session: Session): Promise<void> {
    const s = await this.snapshot(session);
    const uri = this.uriIn(session);
    const found = s ? diagnostics(s, uri) : new Map<string, Diagnostic[]>();
    const open = session.overlay.keys();
    const before = this.published.get(session) ?? new Map<string, string>();
    const now = new Map<string, string>();
    // what was reported and holds no more is taken back, and an open document is told that nothing is wrong
    for (const file of new Set([...before.keys(), ...open, ...found.keys()])) {
      const { version } = this.documents.get(uri(file)) ?? {};
      const params = { uri: uri(file), version, diagnostics: found.get(file) ?? [] };
      const told = JSON.stringify(params);
      if (before.get(file) !== told) await this.connection.sendDiagnostics(params);
      if (version !== undefined || params.diagnostics.length) now.set(file, told);
    }
    this.published.set(session, now);
    this.refreshLenses();
  }

  private refreshLenses(): void {
    if (this.client.workspace?.codeLens?.refreshSupport)
      this.connection.sendRequest('workspace/codeLens/refresh').catch(() => {});
  }

  /** null when the project cannot be analysed; said once, and again only when the reason is another one. */
  private async snapshot(session: Session): Promise<Snapshot | null> {
    try {
      const s = await session.snapshot();
      this.complaints.delete(session);
      return s;
    } catch (e) {
      const message =
        e instanceof Trouble ? `${e.message}${e.remedy ? ` (${e.remedy})` : ''}` : String((e as Error).stack ?? e);
      if (this.complaints.get(session) !== message) this.complain(`looptag: ${message}`);
      this.complaints.set(session, message);
      return null;
    }
  }

  private complain(message: string): void {
    void this.connection.sendNotification(ShowMessageNotification.type, { type: MessageType.Error, message });
  }

  private async answer<T>(
    uri: string,
    nothing: T,
    give: (file: string, s: Snapshot, session: Session) => T,
  ): Promise<T> {
    const at = this.place(uri);
    const s = at && (await this.snapshot(at.session));
    return at && s ? give(at.file, s, at.session) : nothing;
  }

  /** An open document keeps the URI that the editor gave it. */
  private uriIn({ root }: Session): (file: string) => string {
    return (file) => {
      const own = uriOf(root, file);
      if (this.documents.get(own)) return own;
      const open = this.documents.keys().find((uri) => {
        const path = pathOf(uri);
        return path !== null && insideOf(root, path) === file;
      });
      return open ?? own;
    };
  }

  private async codeActions({ textDocument, range, context }: CodeActionParams): Promise<CodeAction[]> {
    if (context.only && !context.only.some((kind) => CodeActionKind.QuickFix.startsWith(kind))) return [];
    return this.answer(textDocument.uri, [], (file, s, session) => {
      const sites = new Set(
        [...decisionsAt(file, range.start, s), ...decisionsAt(file, range.end, s)].map((d) => d.site.id),
      );
      const lazily = this.client.textDocument?.codeAction?.resolveSupport?.properties.includes('edit') ?? false;
      return [...sites].flatMap((site): CodeAction[] => {
        const decision = taggable(site, s);
        if (!decision) return [];
        const own = context.diagnostics.filter((d) => d.source === 'looptag' && d.code === 'untagged-loop');
        const action: CodeAction = {
          title: `Tag this loop as ${decision.projectId}`,
          kind: CodeActionKind.QuickFix,
          diagnostics: own,
          isPreferred: own.length > 0,
          data: { uri: textDocument.uri, site },
        };
        if (lazily) return [action];
        try {
          return [{ ...action, edit: tagEdit(decision, session, s, this.uriIn(session)) }];
        } catch (e) {
          return [{ ...action, disabled: { reason: (e as Error).message } }];
        }
      });
    });
  }

  private async resolveAction(action: CodeAction): Promise<CodeAction> {
    const { uri, site } = (action.data ?? {}) as { uri?: string; site?: string };
    if (uri === undefined || site === undefined) return action;
    return this.answer(uri, action, (_, s, session) => {
      const decision = taggable(site, s);
      if (!decision) return action;
      try {
        return { ...action, edit: tagEdit(decision, session, s, this.uriIn(session)) };
      } catch (e) {
        throw new ResponseError(REQUEST_FAILED, (e as Error).message);
      }
    });
  }
}
