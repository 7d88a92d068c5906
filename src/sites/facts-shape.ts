import type { LoopFacts } from '../model/index.ts';

export function emptyFacts(over: Partial<LoopFacts> = {}): LoopFacts {
  return {
    lifecycle: 'unknown',
    periodSeconds: null,
    periodSource: null,
    periodRange: null,
    nominalPeriodSeconds: null,
    initialDelaySeconds: null,
    setsTraceId: false,
    heartbeat: null,
    diesOnException: null,
    swallowsCancellation: null,
    calls: [],
    executorCalls: [],
    evidence: [],
    ...over,
  };
}
