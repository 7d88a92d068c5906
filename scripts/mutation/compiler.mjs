/** Which mutants the compiler refuses: nobody can commit them, so that no test has to notice them. */
import { join } from 'node:path';
import ts from 'typescript';

/** Not faults of types: what a change leaves unused or out of reach is for the linter. */
const LENIENT = {
  allowUnreachableCode: true,
  allowUnusedLabels: true,
  noUnusedLocals: false,
  noUnusedParameters: false,
};

/**
 * A condition that is written out as true or false makes code unreachable, where the compiler narrows no type and complains of
 * what is no fault: here it is a boolean like any other.
 */
const OPAQUE = { true: '(true as boolean)', false: '(false as boolean)' };

function mutated(text, { operator, start, end, other }) {
  const written = operator === 'condition' ? OPAQUE[other] : (other ?? '{}');
  return `${text.slice(0, start)}${written}${text.slice(end)}`;
}

/**
 * The numbers of the mutants that do not compile. A round takes one mutant of each file, and only what is wrong within the file of a mutant is
 * laid to its charge; the rounds share all that did not change.
 */
export function refused(root, mutants, textOf) {
  const config = ts.getParsedCommandLineOfConfigFile(join(root, 'tsconfig.json'), LENIENT, {
    ...ts.sys,
    onUnRecoverableConfigFileDiagnostic: ({ messageText }) => {
      throw new Error(String(messageText));
    },
  });
  const options = { ...config.options, noEmit: true };
  const names = config.fileNames.filter((name) => /\/(src|rules)\//.test(name));
  const unchanged = new Map();
  const host = ts.createCompilerHost(options, true);
  const read = host.getSourceFile;
  host.getSourceFile = (name, version) => {
    if (!unchanged.has(name)) unchanged.set(name, read(name, version));
    return unchanged.get(name);
  };
  const waiting = new Map();
  for (const mutant of mutants) waiting.set(mutant.file, [...(waiting.get(mutant.file) ?? []), mutant]);
  const found = new Set();
  let program;
  for (let left = mutants.length; left > 0; ) {
    const round = new Map();
    for (const [file, list] of waiting) if (list.length) round.set(join(root, file), list.pop());
    const changed = new Map(
      [...round].map(([path, mutant]) => {
        const text = mutated(textOf(mutant.file), mutant);
        return [path, ts.createSourceFile(path, text, unchanged.get(path)?.languageVersion ?? options.target, true)];
      }),
    );
    const own = { ...host, getSourceFile: (name, ...rest) => changed.get(name) ?? host.getSourceFile(name, ...rest) };
    for (const file of changed.values()) file.impliedNodeFormat = ts.ModuleKind.ESNext;
    program = ts.createProgram(names, options, own, program);
    for (const [path, mutant] of round) {
      const file = changed.get(path);
      const wrong = [...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)];
      if (wrong.length) found.add(mutant.id);
    }
    left -= round.size;
  }
  return found;
}
