import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { EventCursor } from '../modules/webhooks/events.service.js';
import { writePrivate } from '../modules/sandbox/sandbox-home.service.js';

/** What a listener keeps from one start to the next: its secret, and how far it is. */
export interface Progress {
  readonly secret: string;
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
    return existsSync(this.path) ? (JSON.parse(readFileSync(this.path, 'utf8')) as Progress) : null;
  }

  write(progress: Progress): void {
    writePrivate(this.path, JSON.stringify(progress) + '\n');
  }
}
