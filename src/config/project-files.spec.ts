import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectFile, sourceFile } from './project-files.js';

const SRC = sourceFile('');
const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' }).filter(
  (file) => file.endsWith('.ts') && !file.endsWith('.spec.ts'),
);
const sources = files.map((file) => ({ file, text: readFileSync(join(SRC, file), 'utf8') }));

it('finds the project, and the tree of sources that runs', () => {
  expect(JSON.parse(readFileSync(projectFile('package.json'), 'utf8'))).toMatchObject({ name: 'rappen' });
  expect(SRC).toBe(projectFile('src'));
});

// After the build most code lies in dist/chunks, wherever its source was.
it('is the only file that asks where it lies itself', () => {
  const asking = sources.filter(({ text }) => /import\.meta\.(dirname|filename)|__dirname/.test(text));
  expect(asking.map(({ file }) => file)).toEqual(['config/project-files.ts']);
});

it('leaves import.meta.url to those who look for a package, which are the same wherever they lie', () => {
  const asking = sources.filter(({ text }) => text.includes('import.meta.url'));
  for (const { text } of asking) {
    expect(text.match(/import\.meta\.url/g)?.length).toBe(
      text.match(/createRequire\(import\.meta\.url\)/g)?.length,
    );
  }
  expect(asking.length).toBeGreaterThan(0);
});
