import { readdirSync, readFileSync } from 'node:fs';
import { transformSync } from '@swc/core';
import { Assets } from './assets.js';

const assets = new Assets();
const textOf = (name: string): string =>
  assets.find(assets.url(name).slice('/assets/'.length))!.body.toString();
const scripts = readdirSync('public').filter((name) => name.endsWith('.js'));
const styles = readdirSync('public').filter((name) => name.endsWith('.css'));

it.each(scripts)('%s is whole, with what it imports', (name) => {
  const text = textOf(name);
  expect(text).not.toMatch(/^import /m);
  // Such as a name that the script has too.
  expect(() =>
    transformSync(text, { isModule: true, jsc: { parser: { syntax: 'ecmascript' } } }),
  ).not.toThrow();
});

const served = (text: string) =>
  transformSync(text, { isModule: true, minify: true, jsc: { minify: { compress: true, mangle: false } } })
    .code;
const imported = (name: string, done = new Set<string>()): string =>
  readFileSync(`public/${name}`, 'utf8').replace(/^import .* from '\.\/(.*)';$/gm, (_, other: string) => {
    if (done.has(other)) return '';
    done.add(other);
    return imported(other, done).replace(/^export /gm, '');
  });

it.each(scripts)('%s does what it says with its comments', (name) => {
  expect(textOf(name)).not.toMatch(/^\s*(\/\/|\/?\*)|^\s/m);
  expect(served(textOf(name))).toBe(served(imported(name)));
});

it.each(styles)('%s has every rule, and no comment', (name) => {
  const rules = (css: string) => css.replace(/\/\*[^]*?\*\//g, '').replace(/\s+/g, ' ');
  expect(textOf(name)).not.toContain('/*');
  expect(rules(textOf(name)).trim()).toBe(rules(readFileSync(`public/${name}`, 'utf8')).trim());
});

it('puts what is imported in the place of the import', () => {
  expect(textOf('dashboard.js')).toMatch(/^async function copyText/m);
  expect(textOf('refunding.js')).toMatch(/^function offerWallets/m);
});
