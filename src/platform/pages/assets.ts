import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { Injectable } from '@nestjs/common';
import { projectFile } from '../../config/project-files.js';

const PUBLIC_DIR = projectFile('public');

const CONTENT_TYPES: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml; charset=utf-8',
};

export interface Asset {
  readonly body: Buffer;
  readonly gzip: Buffer;
  readonly brotli: Buffer;
  readonly contentType: string;
}

/** What a script of ours imports by its own name: another file of `public/`, on a line of its own. */
const IMPORT = /^import \{ [\w, ]+ \} from '\.\/([a-z-]+\.js)';$/gm;

/**
 * The files of `public/`, read at start and compressed once, for the first who asks. Their names carry a hash of their content, so
 * that browsers may keep them for ever and a new release is never mixed with an old stylesheet. What a script imports is put in the
 * place of the import, once: a page on a slow phone waits for one file, not for one after the other; and what is said to
 * who reads the file in the project, a quarter of it, is left out.
 */
@Injectable()
export class Assets {
  private readonly hashedNames = new Map<string, string>();
  private readonly assets = new Map<string, Asset>();

  constructor() {
    for (const name of readdirSync(PUBLIC_DIR)) this.load(name);
  }

  /** `rappen.css` → `/assets/rappen.<hash>.css`. @throws when there is no such file: a bug, never a user's doing. */
  url(name: string): string {
    const hashedName = this.hashedNames.get(name);
    if (hashedName === undefined) throw new Error(`public/${name} does not exist`);
    return `/assets/${hashedName}`;
  }

  find(hashedName: string): Asset | null {
    return this.assets.get(hashedName) ?? null;
  }

  private load(name: string): void {
    const extension = extname(name);
    const contentType = CONTENT_TYPES[extension];
    if (contentType === undefined) throw new Error(`public/${name} is of a type that is not served`);
    const file = readFileSync(join(PUBLIC_DIR, name), 'utf8');
    const body = Buffer.from(lean(extension === '.js' ? withImports(file) : file));
    const hash = createHash('sha256').update(body).digest('hex').slice(0, 12);
    const hashedName = `${name.slice(0, -extension.length)}.${hash}${extension}`;
    this.hashedNames.set(name, hashedName);
    this.assets.set(hashedName, new StoredAsset(body, contentType));
  }
}

class StoredAsset implements Asset {
  private gzipped: Buffer | null = null;
  private brotlied: Buffer | null = null;

  constructor(
    readonly body: Buffer,
    readonly contentType: string,
  ) {}

  get gzip(): Buffer {
    return (this.gzipped ??= gzipSync(this.body, { level: 9 }));
  }

  get brotli(): Buffer {
    return (this.brotlied ??= brotliCompressSync(this.body));
  }
}

/** Without comments that have lines of their own, without indentation and blank lines. */
function lean(text: string): string {
  return text
    .replace(/^\s*\/\*[^]*?\*\/\s*$/gm, '')
    .replace(/^\s*\/\/.*$/gm, '')
    .replace(/^\s+/gm, '');
}

function withImports(script: string, imported = new Set<string>()): string {
  const whole = script.replace(IMPORT, (_, name: string) => {
    if (imported.has(name)) return '';
    imported.add(name);
    const file = readFileSync(join(PUBLIC_DIR, name), 'utf8').replace(/^export /gm, '');
    return withImports(file, imported);
  });
  if (/^import /m.test(whole)) throw new Error(`an import of a script is not understood:\n${script}`);
  return whole;
}
