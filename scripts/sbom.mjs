// `npm run sbom`: prints what the shipped service is made of, as CycloneDX. Not `npm sbom --omit dev` as it is: that leaves
// out whatever a development tool needs too (pg, zod, @nestjs/common), so npm is shown a project without the tools.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const read = (name) => JSON.parse(readFileSync(join(root, name), 'utf8'));

const { devDependencies: _tools, workspaces: _packages, ...manifest } = read('package.json');
const lock = read('package-lock.json');
const shipped = Object.entries(lock.packages).filter(
  ([path, { dev, link }]) => path !== '' && !dev && !link && path.startsWith('node_modules/'),
);
const { devDependencies: _lockedTools, workspaces: _lockedPackages, ...own } = lock.packages[''];

const folder = join(mkdtempSync(join(tmpdir(), 'rappen-sbom-')), manifest.name);
mkdirSync(folder);
writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
const packages = Object.fromEntries([['', own], ...shipped]);
writeFileSync(join(folder, 'package-lock.json'), JSON.stringify({ ...lock, packages }));
const args = ['sbom', '--package-lock-only', '--sbom-format=cyclonedx', '--sbom-type=application'];
const { status } = spawnSync('npm', args, { cwd: folder, stdio: ['ignore', 'inherit', 'inherit'] });
rmSync(dirname(folder), { recursive: true });
process.exit(status ?? 1);
