import { pathToFileURL } from 'node:url';
import { run } from './program.ts';

run(process.argv.slice(2), new URL('./', pathToFileURL(__filename))).then((code) => {
  process.exitCode = code;
});
