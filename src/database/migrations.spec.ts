import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { MIGRATIONS } from './migrations.js';

it('has every file of the folder, up and down', () => {
  const files = readdirSync(join(import.meta.dirname, 'migrations')).sort();
  const listed = MIGRATIONS.map((migration) => new migration().name ?? '').map((name) => name.slice(0, -13));
  expect(listed.flatMap((name) => [`${name}.down.sql`, `${name}.up.sql`]).sort()).toEqual(files);
});
