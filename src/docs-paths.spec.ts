import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { PATHS } from './modules/dashboard/paths.http.js';

const ROOT = join(import.meta.dirname, '..');

/** All that git knows, or will with the next commit. */
const pages = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '*.md'], {
  cwd: ROOT,
  encoding: 'utf8',
})
  .trim()
  .split('\n')
  .filter((page) => existsSync(join(ROOT, page)));

/** `src/modules/{rates,chains}` is two. */
function spelledOut(path: string): string[] {
  const [, before = '', list, after = ''] = /^([^{]*)\{([^}]*)\}(.*)$/.exec(path) ?? [];
  return list === undefined
    ? [path]
    : list.split(',').flatMap((one) => spelledOut(`${before}${one}${after}`));
}

/** What a page names as a file or a folder of this repository: between backticks, as itself, below src, src/modules or its page's folder. */
function namedPaths(text: string): string[] {
  return [...text.matchAll(/`((?:[\w.-]+|[\w.-]*\{[\w,.-]+\})(?:\/[\w.{},-]+)+\/?)`/g)]
    .map(([, path]) => path!)
    .filter((path) => /^(src|docs|test|scripts|packages|views|public)\/|\.(ts|mjs|md|hbs|css)$/.test(path))
    .flatMap(spelledOut);
}

function linkedPaths(text: string): string[] {
  return [...text.matchAll(/\]\((?![a-z]+:|#|\/)([^)#\s]+)/g)].map(([, path]) => path!);
}

it('finds pages and paths', () => {
  expect(pages).toEqual(
    expect.arrayContaining(['README.md', 'contracts/README.md', 'src/modules/chains/README.md']),
  );
  expect(linkedPaths(readFileSync(join(ROOT, 'README.md'), 'utf8'))).toEqual(
    expect.arrayContaining(['LICENSE', 'SECURITY.md']),
  );
  expect(namedPaths('`src/modules/{rates,chains}` `kernel/no-such.ts` `/docs` `npm test`')).toEqual([
    'src/modules/rates',
    'src/modules/chains',
    'kernel/no-such.ts',
  ]);
});

it.each(pages)('%s names no file that is not there', (page) => {
  const text = readFileSync(join(ROOT, page), 'utf8');
  const isLinked = (path: string) => existsSync(join(ROOT, dirname(page), path));
  const isThere = (path: string) =>
    ['', 'src', 'src/modules'].some((below) => existsSync(join(ROOT, below, path))) || isLinked(path);
  expect(namedPaths(text).filter((path) => !isThere(path))).toEqual([]);
  expect(linkedPaths(text).filter((path) => !isLinked(path))).toEqual([]);
});

/** Longer ones are not read to their end. */
const LONGEST: Readonly<Record<string, number>> = Object.fromEntries([
  ['docs/ARCHITECTURE.md', 150],
  ...pages.filter((page) => page.startsWith('docs/adr/')).map((page) => [page, 40] as const),
]);

it('the architecture has at most 150 lines, a decision 40', () => {
  expect(Object.keys(LONGEST).length).toBeGreaterThan(40);
  const lines = (page: string) => readFileSync(join(ROOT, page), 'utf8').trimEnd().split('\n').length;
  expect(Object.entries(LONGEST).filter(([page, most]) => lines(page) > most)).toEqual([]);
});

it('the example of a proxy logs no link that opens an account', () => {
  const nginx = readFileSync(join(ROOT, 'docs/deploy/nginx.conf'), 'utf8');
  const [, pattern = ''] = /~(\^\S+link\/\))/.exec(nginx) ?? [];
  const masked = new RegExp(pattern);
  const links = Object.values(PATHS).filter((path) => path.includes(':token'));
  expect(links.length).toBeGreaterThan(1);
  for (const path of links) expect(path.replace(masked, '')).toBe(':token');
  expect('/dashboard/payments/link/x').not.toMatch(masked);
  const formats = [...nginx.matchAll(/^\s*access_log (?!off)\S+ ?(\w*);/gm)].map(([, format]) => format);
  expect(formats).toEqual(['rappen']);
  expect(/log_format rappen (.*)/.exec(nginx)?.[1]).not.toMatch(
    /\$(request|request_uri|args|http_referer)\b/,
  );
});
