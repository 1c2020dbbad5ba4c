import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { Injectable } from '@nestjs/common';

const PUBLIC_DIR = join(import.meta.dirname, '..', '..', '..', 'public');

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

/** What a script of ours imports: another file of `public/`, on a line of its own. */
const IMPORT = /^(import [^;]* from )'\.\/([a-z-]+\.js)';$/gm;

/**
 * The files of `public/`, read at start and compressed once, for the first who asks. Their names carry a hash of their content, so
 * that browsers may keep them for ever and a new release is never mixed with an old stylesheet. What a script imports has its hash
 * in the script's own words, and so in the script's hash.
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
    if (this.hashedNames.has(name)) return;
    const extension = extname(name);
    const contentType = CONTENT_TYPES[extension];
    if (contentType === undefined) throw new Error(`public/${name} is of a type that is not served`);
    const body = extension === '.js' ? this.script(name) : readFileSync(join(PUBLIC_DIR, name));
    const hash = createHash('sha256').update(body).digest('hex').slice(0, 12);
    const hashedName = `${name.slice(0, -extension.length)}.${hash}${extension}`;
    this.hashedNames.set(name, hashedName);
    this.assets.set(hashedName, new StoredAsset(body, contentType));
  }

  private script(name: string): Buffer {
    const source = readFileSync(join(PUBLIC_DIR, name), 'utf8');
    const named = source.replace(IMPORT, (_, what: string, imported: string) => {
      this.load(imported);
      return `${what}'${this.url(imported)}';`;
    });
    if (/\bfrom '\.\//.test(named)) throw new Error(`public/${name} imports in a way that is not understood`);
    return Buffer.from(named);
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
