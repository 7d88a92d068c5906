/** What a migration would mend: its passes, without the texts that would come of them. */
import type { Decision, Target } from '../../model/index.ts';
import { tagInForce } from '../../model/tag-in-force.ts';
import type { Mend, Mends } from '../contracts.ts';
import { forwarderOf } from './forwarders.ts';
import { Names } from './names.ts';
import { placeKey } from './places.ts';
import { heartbeatPass, layoutCache, mainPass, type Pass } from './plan.ts';
import { groupBySite } from './select.ts';
import type { MigrateInput, PlannedSite } from './types.ts';

/** Nothing is planned before somebody asks. */
export function mendsOf(input: () => MigrateInput): (decision: Decision) => Mends {
  let started: Passes | null = null;
  return (decision) => {
    started ??= new Passes(input());
    return started.at(decision);
  };
}

class Passes {
  private readonly groups: Decision[][];
  private readonly names: Names;
  private main: Told | null = null;
  private beats: Told | null = null;
  private sessions: Told | null = null;

  constructor(private readonly input: MigrateInput) {
    this.groups = groupBySite(input.decisions);
    this.names = new Names(input, layoutCache(input));
  }

  at(decision: Decision): Mends {
    const passes = this;
    return {
      get projectId() {
        return passes.tagAt(decision);
      },
      get traceId() {
        return passes.traceAt(decision);
      },
      get heartbeat() {
        return passes.beatIn(decision);
      },
      get platformSession() {
        return passes.sessionIn(decision);
      },
    };
  }

  private tagAt(decision: Decision): Mend {
    const { planned, why } = this.atSite(decision);
    return planned ? true : { why };
  }

  private traceAt(decision: Decision): Mend {
    const { planned, why } = this.atSite(decision);
    if (!planned) return { why };
    return planned.trace && this.names.trace !== null ? true : { why: this.names.traceProblem };
  }

  /** At the call itself; where a wrapper takes a function, inside the wrapper. */
  private atSite({ site }: Decision): { planned: PlannedSite | undefined; why: string } {
    this.main ??= toldBy(mainPass(this.input, this.groups, this.names), ({ site: { range } }) => placeKey(range));
    const { planned, skipped } = this.main;
    const key = placeKey(site.range);
    const forwarder = forwarderOf(this.input.analysis, site);
    const inside = forwarder && planned.get(placeKey(forwarder.range));
    return { planned: planned.get(key) ?? inside, why: skipped.get(key) ?? '' };
  }

  private beatIn({ site, target }: Decision): Mend {
    this.beats ??= toldBy(heartbeatPass(this.input, this.groups, this.names), definitionEdited);
    if (this.beats.planned.has(definitionOf(target))) return true;
    return { why: this.beats.skipped.get(placeKey(site.range)) ?? 'its project id is not decided' };
  }

  private sessionIn({ site, target }: Decision): Mend {
    if (!this.sessions) {
      const options = { ...this.input.options, method: 'platform-session', unsafe: true };
      const pass = mainPass({ ...this.input, options }, groupBySite(this.input.decisions.map(convertible)), this.names);
      this.sessions = toldBy(pass, definitionEdited);
    }
    if (this.sessions.planned.has(definitionOf(target))) return true;
    return { why: this.sessions.skipped.get(placeKey(site.range)) ?? '' };
  }
}

/** A method that is asked for takes the tags of the other methods out first. */
function convertible(decision: Decision): Decision {
  const tag = tagInForce(decision);
  if (!tag || tag.via === 'caller' || tag.via === 'decorator') return decision;
  const { site, target } = decision;
  return { ...decision, site: { ...site, tag: null }, target: target && { ...target, tag: null } };
}

const definitionEdited = ({ decisions }: PlannedSite): string => definitionOf(decisions[0]?.target);

/** What a pass changes, and why it leaves sites alone. */
interface Told {
  planned: Map<string, PlannedSite>;
  skipped: Map<string, string>;
}

function toldBy({ planned, skipped }: Pass, keyOf: (planned: PlannedSite) => string): Told {
  return {
    planned: new Map(planned.map((p) => [keyOf(p), p])),
    skipped: new Map(skipped.map(({ site, reason }) => [placeKey(site.range), reason])),
  };
}

const definitionOf = (target: Target | null | undefined): string => `${target?.file}:${target?.line}`;
