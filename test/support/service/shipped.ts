import { existsSync, mkdirSync, mkdtempSync, readFileSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const ROOT = join(import.meta.dirname, '../../..');

/** Node takes a link for the place where it lies, so that nothing is found beside what it points to. */
export const AS_SHIPPED = ['--preserve-symlinks', '--preserve-symlinks-main'];

interface Locked {
  readonly packages: Readonly<Record<string, { readonly dev?: boolean; readonly devOptional?: boolean }>>;
}

/** A folder with what the Dockerfile's last stage copies, and nothing else: of the packages those without `dev`. */
export function shippedFiles(): string {
  const folder = mkdtempSync(join(tmpdir(), 'rappen-shipped-'));
  for (const path of copied()) {
    if (path === 'node_modules') linkPackages(folder);
    else link(folder, path);
  }
  return folder;
}

function copied(): string[] {
  const [, last = ''] = readFileSync(join(ROOT, 'Dockerfile'), 'utf8').split(/^FROM .*(?<! AS build)$/m);
  const paths = [...last.matchAll(/^COPY --from=build \/app\/(\S+) \S+$/gm)].map(([, path]) => path!);
  if (paths.length === 0) throw new Error('The Dockerfile copies nothing that this understands.');
  return paths;
}

function linkPackages(folder: string): void {
  const lock = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as Locked;
  for (const [path, { dev, devOptional }] of Object.entries(lock.packages)) {
    const isNested = path.lastIndexOf('node_modules/') > 0;
    if (!path.startsWith('node_modules/') || isNested || dev || devOptional) continue;
    // Of the packages for other systems none is installed.
    if (existsSync(join(ROOT, path))) link(folder, path);
  }
}

function link(folder: string, path: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  symlinkSync(join(ROOT, path), join(folder, path));
}
