import { Injectable } from '@nestjs/common';
import { Webhook } from 'standardwebhooks';

const KEEP_EVENTS = 100;

export interface ReceivedEvent {
  readonly receivedAt: string;
  readonly webhookId: string;
  readonly verified: boolean;
  readonly body: unknown;
}

/** What a merchant's server would do: verify by the public library, then remember. The last hundred, in memory. */
@Injectable()
export class ReceivedEvents {
  private readonly events: ReceivedEvent[] = [];
  private secret: string | null = null;

  /** The secret is known only after the demo merchant exists, which needs the running application. */
  expect(secret: string): void {
    this.secret = secret;
  }

  /** @returns whether the signature holds; what does not verify is listed too, as such */
  receive(raw: string, headers: Record<string, string>): boolean {
    const verified = this.verifies(raw, headers);
    this.events.push({
      receivedAt: new Date().toISOString(),
      webhookId: headers['webhook-id'] ?? '',
      verified,
      body: verified ? parsed(raw) : raw.slice(0, 1024),
    });
    if (this.events.length > KEEP_EVENTS) this.events.shift();
    return verified;
  }

  /** Oldest first. */
  list(): readonly ReceivedEvent[] {
    return this.events;
  }

  private verifies(raw: string, headers: Record<string, string>): boolean {
    if (this.secret === null) return false;
    try {
      new Webhook(this.secret).verify(raw, headers);
      return true;
    } catch {
      return false;
    }
  }
}

function parsed(raw: string): unknown {
  return JSON.parse(raw);
}
