import { readRequestsQuery } from './requests-query.js';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const NOTHING = { traceId: null, method: null, status: null, before: null };

it.each([
  [{}, NOTHING],
  [{ trace: ` ${TRACE.toUpperCase()} ` }, { ...NOTHING, traceId: TRACE }],
  [
    { status: '404', method: 'GET' },
    { ...NOTHING, status: { from: 404, to: 404 }, method: 'GET' },
  ],
  [
    { status: 'errors', before: '17' },
    { ...NOTHING, status: { from: 400, to: 599 }, before: '17' },
  ],
  [{ status: '999', method: 'BREW', before: '-1' }, NOTHING],
  [{ trace: ['a', 'b'], before: "1' OR 1=1" }, NOTHING],
])('reads %j', (query, filter) => {
  expect(readRequestsQuery(query)).toMatchObject({ filter, problem: null });
});

it('says what is wrong with a traceId, keeps it in the form, and shows the list without it', () => {
  expect(readRequestsQuery({ trace: 'order-1001' })).toMatchObject({
    filter: NOTHING,
    typed: { trace: 'order-1001' },
    problem: expect.stringContaining('32 characters') as string,
  });
});
