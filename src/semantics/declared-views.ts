/** `.values()`, `.items()` and the like of something that is declared to be a mapping. */
import type { Element } from './element.ts';
import type { Evaluator } from './evaluate.ts';
import { held, viewOf } from './held.ts';
import { only, type Place } from './values.ts';

/** `shown`: what there is where nothing is declared. */
export function declaredView(ev: Evaluator, of: Place, view: string, shown: Element[]): Element[] {
  const out: Element[] = [];
  for (const { value } of ev.settled(ev.valueAt(of)).values()) {
    if (value.k !== 'declared') continue;
    const pair = viewOf(value, view);
    const values = pair ? only(pair, 'declared') : held(ev, value, view === 'values' ? '*' : 'iterate');
    if (values.size) out.push({ values });
  }
  return out.length ? out : shown;
}
