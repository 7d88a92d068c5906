/** Results that were cut short by a cycle: as good as they get until the evaluation that they wait for is done. */
import type { Container } from './shared.ts';
import type { Values } from './values.ts';

interface Held {
  values: Values;
  on: ReadonlySet<Container> | null;
  /** Depth of the outermost evaluation at which it was cut short. */
  cut: number;
}

/**
 * Without these, what lies on a cycle would be evaluated once for each way that leads to it, and the ways through a class
 * of n attributes that depend on each other are n!.
 */
export class Provisional {
  private readonly held = new Map<object, Held>();
  private readonly order: object[] = [];

  get(key: object): Held | undefined {
    return this.held.get(key);
  }

  keep(key: object, held: Held): void {
    this.held.set(key, held);
    this.order.push(key);
  }

  /** What is kept from now on belongs to the evaluation that begins. */
  mark(): number {
    return this.order.length;
  }

  /** The evaluation is done: what was cut short at it can be had in full now. */
  drop(mark: number): void {
    while (this.order.length > mark) this.held.delete(this.order.pop()!);
  }

  /** The evaluation was cut short itself: what waits for it waits for what it waits for. */
  defer(mark: number, cut: number): void {
    for (let i = mark; i < this.order.length; i++) {
      const held = this.held.get(this.order[i]!)!;
      if (held.cut > cut) held.cut = cut;
    }
  }
}
