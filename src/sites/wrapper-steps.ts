/** The wrappers between a site and the spawn, the nearest to the site first, each with what is known of its call. */
import { type CallPlace, type Evaluator, type Frame, realSelf } from '../semantics/index.ts';
import type { Alternative, Passage } from './alternatives.ts';
import type { SpawnEvent, WrapperUse } from './flow.ts';
import { callHolding, unknownCall } from './stand-ins.ts';

interface WrapperStep {
  use: WrapperUse;
  /** In which the wrapper's body runs. */
  frame: Frame;
  /** The coroutine that the wrapper puts around what it is given. */
  passage: Passage | null;
  /** What sets the id around that, the nearest first. */
  helpers: Passage[];
}

export function wrapperSteps(ev: Evaluator, event: SpawnEvent): WrapperStep[] {
  const out: WrapperStep[] = [];
  let outer: Frame | null = null;
  for (let e = event; e.wrapper; e = e.wrapper.inner) {
    const use = e.wrapper;
    const skip = use.self ? 1 : 0;
    const calls = use.decorates
      ? []
      : [
          { place: e.call, skip, frame: outer },
          ...use.partial.map((p) => ({ place: p, skip: skip - 1, frame: outer })),
        ];
    const frame: Frame = {
      fn: use.fn.type === 'function' ? use.fn : null,
      self: outer ? realSelf(ev, use.self, outer) : use.self,
      calls,
    };
    const passed = handedOn(use);
    out.push({ use, frame, passage: passed?.passage ?? null, helpers: passed?.helpers ?? [] });
    outer = frame;
  }
  return out;
}

/** The wrapper's parameter, as the event inside it uses it. */
function handedOn(use: WrapperUse): Extract<Alternative, { kind: 'parameter' }> | undefined {
  return use.inner.alternatives.find(
    (a) => a.kind === 'parameter' && a.arg === use.arg && a.mode === use.mode,
  ) as never;
}

/** A function given to a wrapper is called in it: with the arguments that stand there. */
export function calledWith(ev: Evaluator, event: SpawnEvent, frame: Frame): Frame {
  if (!event.wrapper || event.wrapper.decorates || !event.mode.endsWith('callable') || !frame.calls.length)
    return frame;
  const skip = frame.self ? 1 : 0;
  const found = innerCall(wrapperSteps(ev, event));
  const [first, ...partial] = frame.calls;
  const call = found
    ? { place: found.call, skip, frame: found.frame }
    : { place: unknownCall(first!.place), skip, frame: null };
  return { ...frame, calls: [call, ...partial] };
}

function innerCall(steps: readonly WrapperStep[]): { call: CallPlace; frame: Frame } | null {
  for (const { use, frame, passage } of steps) {
    const { inner } = use;
    const passed = handedOn(use);
    const called = passed?.fallback;
    if (called?.kind === 'external' && called.call) return { call: called.call, frame };
    if (passage) return withinClosure(passage, frame);
    if (inner.spawn && inner.mode === 'callable' && inner.argument.kind === 'given')
      return { call: callHolding(inner.argument.place), frame };
  }
  return null;
}

/** A closure calls the function that the wrapper is given. */
function withinClosure({ of, self, call, called }: Passage, outer: Frame): { call: CallPlace; frame: Frame } | null {
  if (!called || of?.type !== 'function') return null;
  const calls = [{ place: call, skip: self ? 1 : 0, frame: outer }];
  return { call: called, frame: { fn: of, self, calls, outer } };
}
