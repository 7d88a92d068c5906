/**
 * Containers, as other modules fill them: what was found out when they were the same still holds. Compared is what the
 * modules of then and now have made, which is the very same as long as their files are.
 */
import { modulesStoring } from './attribute-stores.ts';
import { mayCall } from './changed-objects.ts';
import { modulesMaking } from './constructions.ts';
import type { Evaluator } from './evaluate.ts';
import { ofOthers } from './filled.ts';
import { modulesFilling } from './fills.ts';
import { heirsKnown, heirsOf } from './heirs.ts';
import { isSameList } from './lookups.ts';
import type { Fact } from './memory.ts';
import { modulesMoving } from './reordered.ts';
import type { Container, ContainerState } from './shared.ts';
import type { Values } from './values.ts';

/** What is said of an expression by its values. */
const VALUES = 'values';

export class ContainerStates {
  private found = new Map<Container, readonly object[]>();
  /** How many modules were read when these were found. */
  private modules = 0;

  constructor(private readonly ev: Evaluator) {}

  /** Values that rest on containers: of this look, or of an earlier one when these were the same. */
  known(key: object): Values | undefined {
    const { memory, shared } = this.ev;
    const now = shared.known(key);
    if (now || !memory.stays) return now;
    const before = memory.fact(key, VALUES, shared.stage);
    if (!before?.on || before.look === memory.look || !this.hold(before)) return undefined;
    shared.keep(key, before.result as Values, before.on);
    return shared.known(key);
  }

  keep(key: object, values: Values, on: ReadonlySet<Container>): void {
    const { memory, shared } = this.ev;
    shared.keep(key, values, on);
    if (memory.stays) memory.keepFact(key, VALUES, shared.stage, this.factOf({ result: values, on }));
  }

  /** As it is now. */
  factOf(found: { result: unknown; on: ReadonlySet<Container> | null }): Fact {
    const { graph, memory } = this.ev;
    return { ...found, states: this.of(found.on), look: memory.look, modules: graph.modules().length };
  }

  /** For a later look; null where there will be none. */
  private of(on: ReadonlySet<Container> | null): ContainerState[] | null {
    if (!on || !this.ev.memory.stays || !this.ev.shared.complete) return null;
    return [...on].map((container) => ({ container, is: this.now(container) }));
  }

  /** Does it hold still? */
  hold({ on, states, look, modules }: Fact): boolean {
    const { graph, memory, shared } = this.ev;
    if (!on || !shared.complete) return true;
    if (look === memory.look && modules === graph.modules().length) return true;
    return states?.every(({ container, is }) => isSameList(is, this.now(container))) ?? false;
  }

  private now(container: Container): readonly object[] {
    const { ev } = this;
    const { length } = ev.graph.modules();
    if (this.modules !== length) this.found.clear();
    this.modules = length;
    const known = this.found.get(container);
    if (known) return known;
    const state = ev.memory.unnoted(() => ev.shared.unwatched(() => stateOf(ev, container)));
    this.found.set(container, state);
    return state;
  }
}

function stateOf(ev: Evaluator, { module, name, heirs, called, callers, field }: Container): readonly object[] {
  if (heirs) return heirsOf(ev, heirs.cls, heirs.method);
  if (called) return modulesMaking(ev.graph, name);
  if (callers) return mayCall(ev, callers.fn, callers.naming);
  if (field) {
    const { attr, cls } = field;
    return [...modulesFilling(ev.graph, attr), ...modulesStoring(ev.graph, attr), ...heirsKnown(ev, cls)];
  }
  return [...ofOthers(ev, module, name), ...modulesFilling(ev.graph, `[]${name}`), ...modulesMoving(ev.graph, name)];
}
