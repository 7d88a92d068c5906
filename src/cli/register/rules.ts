import { type Command, Option } from 'commander';
import { type Act, sub } from '../define.ts';

export function registerRules(program: Command, act: Act): void {
  const rules = sub(program, 'rules', 'list the rules, with the severity in force here')
    .addOption(new Option('--format <name>', 'output format').choices(['text', 'json', 'markdown']).default('text'))
    .action(act(async () => (await import('../commands/rules.ts')).rules));
  sub(rules, 'new', "scaffold a rule in looptag's own repository: code, README and a first case")
    .argument('<name>', 'id of the rule, for example late-spawn')
    .action(act(async () => (await import('../commands/rules.ts')).newRule));
}
