/** The quick fix "tag this loop": what `looptag migrate --only` would do, as edits of the editor. */

import type { TextDocumentEdit, WorkspaceEdit } from 'vscode-languageserver/node';
import { TextDocument } from 'vscode-languageserver-textdocument';
import type { Decision } from '../../model/index.ts';
import { tagInForce } from '../../model/tag-in-force.ts';
import { engineOptions, planned } from '../migrate-plan.ts';
import { prepareMigration } from '../migration.ts';
import { Trouble } from '../trouble.ts';
import type { Session, Snapshot } from './session.ts';

/** The one that can be tagged by an edit: it needs a tag, has none, and it is known which. */
export function taggable(site: string, s: Snapshot): Decision | null {
  const decisions = s.project.reconciliation.decisions.filter((d) => d.site.id === site);
  return decisions.find((d) => d.required && !tagInForce(d) && d.projectId !== null && !d.site.shape.refusal) ?? null;
}

/**
 * Plans and proves the edit for one site.
 * @throws Trouble with the reason when there is none.
 */
export function tagEdit(
  decision: Decision,
  session: Session,
  s: Snapshot,
  uri: (file: string) => string,
): WorkspaceEdit {
  const { w, files, catalogue } = s.project;
  const only = [decision.site.id];
  const selection = catalogue ? { only, catalog: undefined } : { only, projectId: decision.projectId ?? undefined };
  const options = { ...session.options, ...selection, python: false, format: 'json' as const };
  const migration = prepareMigration(
    w,
    files,
    options,
    engineOptions(w, [decision.site.range.file], options),
    session.overlay,
  );
  const { plan, problems } = planned(migration, options);
  const [problem] = problems;
  if (problem) throw new Trouble(`the edit could not be proven: ${problem.message}`);
  const refused = plan.skipped.find((k) => k.site.id === decision.site.id);
  if (!plan.sites.length) throw new Trouble(refused?.reason ?? 'there is nothing to change');
  const changed = plan.files.map((f): TextDocumentEdit => {
    const document = TextDocument.create(uri(f.file), 'python', 0, f.text);
    const edits = f.edits.map((e) => ({
      range: { start: document.positionAt(e.start), end: document.positionAt(e.end) },
      newText: e.text,
    }));
    return { textDocument: { uri: uri(f.file), version: null }, edits };
  });
  const created = plan.newFiles.flatMap((f) => [
    { kind: 'create' as const, uri: uri(f.file), options: { ignoreIfExists: false, overwrite: false } },
    {
      textDocument: { uri: uri(f.file), version: null },
      edits: [{ range: { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } }, newText: f.text }],
    },
  ]);
  return { documentChanges: [...created, ...changed] };
}
