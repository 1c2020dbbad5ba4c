import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { INTENT_STATUSES, isIntentStatus, isOpen, isTerminal, mayBecome } from './intent-status.js';

/** The edges of docs/product.md, written a second time. A confirmed payment can no longer be cancelled. */
const EDGES = [
  'initiated → pending',
  'initiated → expired',
  'initiated → cancelled',
  'pending → confirmed',
  'pending → failed',
  'pending → expired',
  'pending → cancelled',
  'confirmed → settled',
  'confirmed → failed',
  'confirmed → expired',
  'expired → settled',
];

const pairs = INTENT_STATUSES.flatMap((from) => INTENT_STATUSES.map((to) => [from, to] as const));

it.each(pairs)('%s → %s is as the table says', (from, to) => {
  expect(mayBecome(from, to)).toBe(EDGES.includes(`${from} → ${to}`));
});

it('leaves a terminal status by one edge only: the merchant’s accept', () => {
  const exits = pairs.filter(([from, to]) => isTerminal(from) && mayBecome(from, to));
  expect(exits).toEqual([['expired', 'settled']]);
});

it('is open, underway or terminal', () => {
  expect(INTENT_STATUSES.filter(isOpen)).toEqual(['initiated', 'pending']);
  expect(INTENT_STATUSES.filter(isTerminal)).toEqual(['settled', 'failed', 'expired', 'cancelled']);
});

it('is known from other words', () => {
  expect([...INTENT_STATUSES, 'paid', '', 'Settled'].filter(isIntentStatus)).toEqual([...INTENT_STATUSES]);
});

it('are seven words in lower case, and the contract offers these and no other', () => {
  const contract = readFileSync(join(import.meta.dirname, '../../docs/openapi.json'), 'utf8');
  const { components } = JSON.parse(contract) as {
    components: { schemas: { PaymentIntentResponse: { properties: { status: { enum: string[] } } } } };
  };
  expect(INTENT_STATUSES).toHaveLength(7);
  expect(INTENT_STATUSES.filter((status) => !/^[a-z]+$/.test(status))).toEqual([]);
  expect(components.schemas.PaymentIntentResponse.properties.status.enum).toEqual([...INTENT_STATUSES]);
});

it('stands in the first migration, edge for edge', () => {
  const sql = readFileSync(join(import.meta.dirname, '../database/migrations/0001_initial.up.sql'), 'utf8');
  const rows = /INSERT INTO status_edge VALUES([^;]*);/.exec(sql)?.[1] ?? '';
  const edges = [...rows.matchAll(/\('(\w+)', '(\w+)'\)/g)].map(([, from, to]) => `${from} → ${to}`);
  expect(edges.sort()).toEqual([...EDGES].sort());
});
