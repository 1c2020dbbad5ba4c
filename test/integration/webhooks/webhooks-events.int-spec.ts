import { setTimeout as pause } from 'node:timers/promises';
import { EventsRepository } from '../../../src/modules/webhooks/data/events.repository.js';
import { type EventCursor, EventsService } from '../../../src/modules/webhooks/events.service.js';
import { WebhooksFixture } from './webhooks-fixture.js';

let fixture: WebhooksFixture;
let events: EventsService;
beforeAll(async () => {
  fixture = await WebhooksFixture.open();
  events = new EventsService(new EventsRepository(fixture.dataSource));
});
afterAll(() => fixture.close());

/** A cursor counts in whole milliseconds: what was written in this very one would be of after it. */
async function fromNowOn(): Promise<EventCursor> {
  await pause(2);
  return events.cursor();
}

/** Reads page by page until there is nothing. */
async function read(from: EventCursor, limit = 100): Promise<{ ids: string[]; cursor: EventCursor }> {
  const ids: string[] = [];
  let cursor = from;
  for (;;) {
    const page = await events.after(fixture.merchantId, cursor, limit);
    for (const event of page) {
      ids.push(event.id);
      cursor = events.advance(cursor, event);
    }
    if (page.length === 0) return { ids, cursor };
  }
}

describe('the log of events', () => {
  it('is read once from its beginning to its end, in pages of any size', async () => {
    const start = await fromNowOn();
    const written: string[] = [];
    for (let i = 0; i < 12; i++) written.push(await fixture.append());
    await fixture.append(await fixture.addMerchant());
    const { ids, cursor } = await read(start, 5);
    expect([...ids].sort()).toEqual([...written].sort());
    expect((await read(cursor)).ids).toEqual([]);
    expect((await read(JSON.parse(JSON.stringify(cursor)) as EventCursor)).ids).toEqual([]);
    expect((await read(start)).ids).toEqual(ids);
  });

  it('parts no two events of an intent the wrong way round, in pages of one', async () => {
    const start = await fromNowOn();
    const high = await fixture.append();
    const low = high.slice(0, 'evt_'.length + 10) + '0'.repeat(20);
    await fixture.dataSource.query(
      `INSERT INTO event (id, merchant_id, type, subject, sequence, body, created_at)
       SELECT $2, merchant_id, type, subject, 2, body, created_at FROM event WHERE id = $1`,
      [high, low],
    );
    expect((await read(start, 1)).ids).toEqual([high, low]);
  });

  it('finds an event whose transaction was committed after later ones were read', async () => {
    const { cursor } = await read(await fromNowOn());
    const runner = fixture.dataSource.createQueryRunner();
    await runner.startTransaction();
    const early = await fixture.append();
    const late = early.slice(0, 'evt_'.length + 10) + '0'.repeat(20);
    await runner.query(
      `INSERT INTO event (id, merchant_id, type, subject, sequence, body)
       SELECT $2, merchant_id, type, 'late', 1, body FROM event WHERE id = $1`,
      [early, late],
    );
    const next = await fixture.append();
    const first = await read(cursor);
    expect([...first.ids].sort()).toEqual([early, next].sort());
    await runner.commitTransaction();
    await runner.release();
    const second = await read(first.cursor);
    expect(second.ids).toEqual([late]);
    expect((await read(second.cursor)).ids).toEqual([]);
  });

  it('begins now, or at a time that is asked for', async () => {
    const old = await fixture.append();
    expect((await read(await fromNowOn())).ids).toEqual([]);
    const since = new Date(Date.now() - 3_600_000);
    expect((await read(await events.cursor(since))).ids).toContain(old);
  });
});
