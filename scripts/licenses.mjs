/** The licences of what a bundle holds of others: they ask to be passed on with it. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const FILE = /^(licen[cs]e|copying|notice)(\.(md|txt))?$/i;

/** Each package that esbuild took something from, with its folder. */
function packages(metafile) {
  const folders = Object.keys(metafile.inputs).map((input) => /^.*node_modules\/(@[^/]+\/)?[^/]+/.exec(input)?.[0]);
  return [...new Set(folders.filter(Boolean))].sort();
}

/** @returns The text of `dist/licenses.txt`; throws when a package says nothing of its licence. */
export function licenses(metafile) {
  const parts = packages(metafile).map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    const texts = readdirSync(folder).filter((file) => FILE.test(file));
    if (!license || !texts.length) throw new Error(`${name} ${version}: no licence found in ${folder}`);
    const text = texts.map((file) => readFileSync(join(folder, file), 'utf8').trim()).join('\n\n');
    return `${name} ${version} (${license})\n\n${text}\n`;
  });
  return `looptag's files hold parts of the following packages.\n\n${parts.join(`\n${'-'.repeat(78)}\n\n`)}`;
}
