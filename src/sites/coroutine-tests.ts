/** `if iscoroutinefunction(cb): create_task(cb())`: what is spawned only where it is a coroutine, or makes one. */
import { isTestedBy, type ModuleScopes, type Place, perModule } from '../semantics/index.ts';
import { type Call, lastNameOf } from '../syntax/index.ts';
import type { Project } from './project.ts';

const TESTS: ReadonlySet<string> = new Set([
  'asyncio.iscoroutine',
  'asyncio.iscoroutinefunction',
  'inspect.isawaitable',
  'inspect.iscoroutine',
  'inspect.iscoroutinefunction',
]);
const NAMES: ReadonlySet<string> = new Set([...TESTS].map((q) => q.slice(q.indexOf('.') + 1)));
const TYPES: ReadonlySet<string> = new Set(['Awaitable', 'Coroutine', 'CoroutineType']);

const testsIn = perModule((m: ModuleScopes) => m.calls.filter(({ node }) => isSpelled(node)));

/** Of a call, what is called is looked at as well. */
export function isTested(project: Project, place: Place): boolean {
  const m = place.scope.module;
  if (!testsIn(m).length) return false;
  const proves = (test: Call): boolean =>
    asksForAwaitable(test) || project.namesOf(m, test.func).some((q) => TESTS.has(q));
  const is = (node: Place['node']): boolean => isTestedBy({ ...place, node }, proves);
  return is(place.node) || (place.node.kind === 'Call' && is(place.node.func));
}

function isSpelled(test: Call): boolean {
  return NAMES.has(lastNameOf(test.func)) || asksForAwaitable(test);
}

/** `hasattr(made, "__await__")`, `isinstance(made, Awaitable)`. */
function asksForAwaitable({ func, args }: Call): boolean {
  const [, second] = args;
  if (func.kind !== 'Name' || !second) return false;
  if (func.id === 'hasattr') return second.kind === 'Constant' && second.value === '__await__';
  return func.id === 'isinstance' && TYPES.has(lastNameOf(second));
}
