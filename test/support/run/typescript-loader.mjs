// Lets global-setup.mjs import the sources: Jest compiles test files only, and dist may be older than what is tested.
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { transform } from '@swc/core';
import { compilerOptions } from '../../../scripts/build/compiler.mjs';

const OPTIONS = compilerOptions('es6');

// From its source, as in jest.config.mjs: nothing here must depend on what has been built before.
const CLIENT = new URL('../../../packages/client/src/index.ts', import.meta.url).href;

export async function resolve(specifier, context, nextResolve) {
  if (specifier === '@rappen/client') return { url: CLIENT, format: 'module', shortCircuit: true };
  if (/^\.{1,2}\/.*\.js$/.test(specifier) && context.parentURL) {
    const url = new URL(specifier.replace(/\.js$/, '.ts'), context.parentURL);
    if (existsSync(fileURLToPath(url))) return { url: url.href, format: 'module', shortCircuit: true };
  }
  return nextResolve(specifier, context);
}

export async function load(url, context, nextLoad) {
  if (!url.startsWith('file:') || !url.endsWith('.ts')) return nextLoad(url, context);
  const filename = fileURLToPath(url);
  const { code } = await transform(await readFile(filename, 'utf8'), { ...OPTIONS, filename });
  return { format: 'module', source: code, shortCircuit: true };
}
