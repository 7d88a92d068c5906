import { defineCheck } from '../../../src/engine/contracts.ts';
import type { CalledName } from '../../../src/model/index.ts';
import { aboutLine, mendsAt, nameOf } from '../about.ts';
import { quoted } from '../wording.ts';

const MESSAGES = {
  tenant: (name: string, call: string, platform: string) =>
    `${name} belongs to the platform, but it opens the tenant session ${call}; it must use ${platform}`,
};

export default defineCheck({
  id: 'tenant-session-in-platform-loop',
  code: 'LT014',
  severity: 'warning',
  summary: 'A platform loop (class A) opens a database session of a tenant.',
  fixable: true,
  remedy: 'run `looptag migrate --method platform-session --unsafe`, or open the platform session by hand',
  *run(input) {
    const { tenant, platform } = input.policy.platformSession;
    const told = new Set<string>();
    for (const decision of input.reconciliation.decisions) {
      if (decision.class !== 'A' || !decision.target) continue;
      for (const call of decision.target.facts.calls) {
        const key = `${call.file}:${call.line}:${call.column}`;
        if (told.has(key) || !opens(call, tenant)) continue;
        told.add(key);
        const message = MESSAGES.tenant(quoted(nameOf(decision)), quoted(call.name), quoted(platform));
        yield aboutLine(input, decision, call, message, {
          fixable: mendsAt(input, decision).platformSession === true,
        });
      }
    }
  },
});

/** The policy names sessions with or without their module. */
function opens({ name, qualifiedName }: CalledName, sessions: readonly string[]): boolean {
  const names = [name, qualifiedName ?? name];
  return sessions.some((session) => names.some((called) => called === session || called.endsWith(`.${session}`)));
}
