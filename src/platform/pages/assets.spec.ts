import { readdirSync } from 'node:fs';
import { Assets } from './assets.js';

const assets = new Assets();
const scripts = readdirSync('public').filter((name) => name.endsWith('.js'));
const textOf = (path: string): string => assets.find(path.slice('/assets/'.length))!.body.toString();
const importsOf = (text: string): string[] =>
  [...text.matchAll(/ from '([^']+)';/g)].map(([, from = '']) => from);

it('names what a script imports by its content, so that two releases are never mixed', () => {
  const imports = scripts.flatMap((name) => importsOf(textOf(assets.url(name))));
  expect(imports).toContain(assets.url('clipboard.js'));
  expect(imports).toContain(assets.url('browser-wallets.js'));
  for (const path of imports) expect(textOf(path)).toContain('export ');
});
