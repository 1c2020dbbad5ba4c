import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { z } from 'zod';
import { writePrivate } from '../../modules/sandbox/sandbox-home.service.js';
import type { EventCursor } from '../../modules/webhooks/events.service.js';
import { readOwnJson } from '../../platform/process/own-json.js';

const PROGRESS = z.object({
  cursor: z.object({ sinceMs: z.number(), atMs: z.number(), seen: z.array(z.string()) }),
});
const SECRET = z.object({ secret: z.string() });

/** How far a listener is, from one start to the next. */
export interface Progress {
  readonly cursor: EventCursor;
}

/** Beside the sandbox's data, one file for each merchant and destination: gone with the data that it is about. */
export class ProgressFile {
  private readonly path: string;

  constructor(dataDir: string, merchantId: string, forwardTo: string) {
    const destination = createHash('sha256').update(forwardTo).digest('hex').slice(0, 8);
    this.path = join(dataDir, `listen-${merchantId}-${destination}.json`);
  }

  read(): Progress | null {
    return readOwnJson(this.path, PROGRESS);
  }

  write(progress: Progress): void {
    writePrivate(this.path, JSON.stringify(progress) + '\n');
  }
}

/** One for each merchant, whatever it is forwarded to: a server may move to another port and verify as before. */
export class SecretFile {
  private readonly path: string;

  constructor(dataDir: string, merchantId: string) {
    this.path = join(dataDir, `listen-secret-${merchantId}.json`);
  }

  /** The one that is kept, or a new one that is kept from now on. */
  secret(make: () => string): string {
    const kept = readOwnJson(this.path, SECRET);
    if (kept) return kept.secret;
    const secret = make();
    writePrivate(this.path, JSON.stringify({ secret } satisfies z.output<typeof SECRET>) + '\n');
    return secret;
  }
}
