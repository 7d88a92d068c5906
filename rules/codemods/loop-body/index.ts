import { defineCodemod } from '../../../src/engine/contracts.ts';
import { literal, setAtTop, undoAtTop } from '../body.ts';

/** ADR-123 way 1: `project_id_ctx_var.set("awoooi")` as the first statement of the coroutine, in the file that defines it. */
export default defineCodemod({
  id: 'loop-body',
  summary: 'set the project id in the first lines of the coroutine function',
  safe: true,
  scope: 'target',
  carriesId: true,
  limits: ['The id is set by the coroutine itself and not taken back: whoever awaits it directly keeps the id.'],
  run: (input) => setAtTop(input, literal(input.projectIds[0]!)),
  undo: undoAtTop,
});
