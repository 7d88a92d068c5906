/** What a name may stand for where it is spawned: the coroutines of each site of `main.py`, in order. Below `flows/`. */
import { join } from 'node:path';
import { testExamples } from '../support/examples.ts';
import { analysisOf } from './facts/support.ts';

testExamples(join(import.meta.dirname, 'flows'), (files) =>
  analysisOf(files)
    .sites.filter((site) => site.range.file === 'main.py')
    .map(({ range, enclosing, targets, certainty }) => {
      const names = targets.map((t) => (t.file ? (t.qualifiedName ?? '') : '?'));
      return `${range.line} ${enclosing}: ${names.length ? names.sort().join(' | ') : '?'}${certainty === 'likely' ? ' (likely)' : ''}`;
    })
    .join('\n'),
);
