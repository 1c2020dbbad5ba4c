import { record, table } from './table.js';

it('puts rows under headings, aligned, and nested values in words', () => {
  const at = new Date('2026-11-21T08:00:00Z');
  const rows = [
    {
      id: 'we_1',
      createdAt: at,
      events: ['payment.status', 'payment.money'],
      health: { failures: 2, since: null },
    },
    { id: 'we_22', createdAt: at, events: [], health: {}, answer: '<html>\n  down' },
  ];
  expect(table(rows)).toBe(
    'ID     CREATED AT                EVENTS                         HEALTH               ANSWER\n' +
      'we_1   2026-11-21T08:00:00.000Z  payment.status, payment.money  failures 2; since -  -\n' +
      'we_22  2026-11-21T08:00:00.000Z  -                              -                    <html> down\n',
  );
  expect(table(rows)).not.toMatch(/[{}[\]"]/);
});

it('says none for no rows', () => {
  expect(table([])).toBe('none\n');
});

it('writes one field a line', () => {
  expect(record({ id: 'x', nextIndex: 3, addresses: ['a', 'b'], at: null })).toBe(
    'id         x\nnextIndex  3\naddresses  a, b\nat         -\n',
  );
});
