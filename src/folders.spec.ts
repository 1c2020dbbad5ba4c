import { readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** As many names as somebody takes in at a glance; a folder with more holds several things, and a room for each is better. */
const MOST_FILES = 15;

it('no folder holds more than fifteen files of code side by side', () => {
  const files = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' });
  const folders = files.filter((file) => file.endsWith('.ts') && !file.endsWith('.spec.ts')).map(dirname);
  const counted = [...new Set(folders)].map((folder) => ({
    folder: join('src', folder),
    files: folders.filter((one) => one === folder).length,
  }));
  expect(counted.filter(({ files }) => files > MOST_FILES)).toEqual([]);
});
