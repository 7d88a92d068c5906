import { type Command, Option } from 'commander';
import { type Act, repeat, sub } from '../define.ts';

export function registerAlerts(program: Command, act: Act): void {
  const formats = ['rules', 'crd', 'dashboard', 'tests', 'text', 'json'];
  sub(
    program,
    'alerts',
    'Prometheus rules for the loops, their promtool tests, a dashboard; or compare an existing rules file',
  )
    .argument('[paths...]', 'Python files or folders (default: the file that the catalogue speaks of)')
    .addOption(
      new Option('--format <name>', 'what to print (default: rules); text and json with --check').choices(formats),
    )
    .option('--output-dir <dir>', 'write files there instead: all of them, or those of --format')
    .option('--check <file>', 'compare a rules file with code and catalogue; - reads standard input')
    .option('--name <name>', 'name of the PrometheusRule resource')
    .option('--namespace <name>', 'its namespace')
    .option('--label <key=value>', 'a label of it (repeatable)', repeat)
    .option('--context-var <module:name>', 'the context variable that carries the project id')
    .action(act(async () => (await import('../commands/alerts.ts')).alerts));
}
