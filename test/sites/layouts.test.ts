/** Where things stand in a module, for editors that see no tree: the layout and the shape of each function, below `layouts/`. */
import { join } from 'node:path';
import { buildLayout } from '../../src/sites/layout.ts';
import { findLoopShape } from '../../src/sites/loop-shape.ts';
import { parseModule } from '../../src/syntax/index.ts';
import { testExamples } from '../support/examples.ts';
import { portrait } from '../support/portrait.ts';

testExamples(join(import.meta.dirname, 'layouts'), (files) => {
  const [[file, written]] = Object.entries(files) as [[string, string]];
  // what cannot be seen in a document is spelled out in it
  const text = written.replaceAll('␍', '\r').replaceAll('␌', '\f').replace(/␃\n$/, '');
  const isPackage = file.endsWith('__init__.py');
  const module = file.replace(/(\/__init__)?\.py$/, '').replaceAll('/', '.');
  const source = { file, module, isPackage, text, tree: parseModule(text) };
  const { length, ...layout } = buildLayout(source);
  const shapes = text.split(/\r\n|\r|\n/).map((_, i) => findLoopShape(source, i + 1));
  const whole = { ...layout, length: length === text.length ? null : length, shapes: shapes.filter((s) => s !== null) };
  return portrait(whole, { main: text, textOf: () => text }, []);
});
