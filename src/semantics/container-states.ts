/**
 * Containers, as other modules fill them: what was found out when they were the same still holds. Compared is what the
 * modules of then and now have made, which is the very same as long as their files are.
 */
import { modulesStoring } from './attribute-stores.ts';
import { modulesMaking } from './constructions.ts';
import type { Evaluator } from './evaluate.ts';
import { ofOthers } from './filled.ts';
import { modulesFilling } from './fills.ts';
import { heirsKnown, heirsOf } from './heirs.ts';
import { isSameList } from './lookups.ts';
import type { Fact } from './memory.ts';
import { modulesMoving } from './reordered.ts';
import type { Container, ContainerState } from './shared.ts';

export class ContainerStates {
  private known = new Map<Container, readonly object[]>();
  /** How many modules were read when these were found. */
  private modules = 0;

  constructor(private readonly ev: Evaluator) {}

  /** For a later look; null where there will be none. */
  of(on: ReadonlySet<Container> | null): ContainerState[] | null {
    if (!on || !this.ev.memory.stays || !this.ev.shared.complete) return null;
    return [...on].map((container) => ({ container, is: this.now(container) }));
  }

  /** Does it hold still? */
  hold({ on, states, look, modules }: Fact): boolean {
    if (!on) return true;
    const { graph, memory } = this.ev;
    if (look === memory.look && modules === graph.modules().length) return true;
    return states?.every(({ container, is }) => isSameList(is, this.now(container))) ?? false;
  }

  private now(container: Container): readonly object[] {
    const { ev } = this;
    const { length } = ev.graph.modules();
    if (this.modules !== length) this.known.clear();
    this.modules = length;
    const known = this.known.get(container);
    if (known) return known;
    const state = ev.memory.unnoted(() => ev.shared.unwatched(() => stateOf(ev, container)));
    this.known.set(container, state);
    return state;
  }
}

function stateOf(ev: Evaluator, { module, name, heirs, called, field }: Container): readonly object[] {
  if (heirs) return heirsOf(ev, heirs.cls, heirs.method);
  if (called) return modulesMaking(ev.graph, name);
  if (field) {
    const { attr, cls } = field;
    return [...modulesFilling(ev.graph, attr), ...modulesStoring(ev.graph, attr), ...heirsKnown(ev, cls)];
  }
  return [...ofOthers(ev, module, name), ...modulesFilling(ev.graph, `[]${name}`), ...modulesMoving(ev.graph, name)];
}
