import { readdirSync } from 'node:fs';
import { transformSync } from '@swc/core';
import { Assets } from './assets.js';

const assets = new Assets();
const textOf = (name: string): string =>
  assets.find(assets.url(name).slice('/assets/'.length))!.body.toString();
const scripts = readdirSync('public').filter((name) => name.endsWith('.js'));

it.each(scripts)('%s is whole, with what it imports', (name) => {
  const text = textOf(name);
  expect(text).not.toMatch(/^import /m);
  // Such as a name that the script has too.
  expect(() =>
    transformSync(text, { isModule: true, jsc: { parser: { syntax: 'ecmascript' } } }),
  ).not.toThrow();
});

it('puts what is imported in the place of the import', () => {
  expect(textOf('dashboard.js')).toMatch(/^async function copyText/m);
  expect(textOf('refunding.js')).toMatch(/^function offerWallets/m);
});
