import {
  CREATED,
  factsOf,
  intent,
  network,
  places,
  quote,
  transfer,
} from '../../../../../test/support/payment.js';
import { networksOf, presentRequest, waitingOf } from './refund-request.js';

it('money can be asked back on the networks on which it came, each once, while they are configured', () => {
  const transfers = ['ethereum', 'ethereum', 'gone'].map((id) => transfer({ network: id }));
  const ids = transfers.map(({ id }) => id);
  expect(networksOf(ids, factsOf(transfers), places)).toEqual([network]);
  expect(networksOf([ids[2]!], factsOf(transfers), places)).toEqual([]);
});

it('what is on its way back waits for no decision, though it is still in the queue', () => {
  const transfers = [1, 2].map(() => transfer({ blockHeight: 1 }));
  const [leaving, other] = transfers.map(({ id }) => id);
  const judged = { intent: intent({ status: 'expired' }), quotes: [quote()], facts: factsOf(transfers) };
  const waiting = (...ids: string[]) => waitingOf({ transfers: [leaving!, other!] }, judged, places, ids);
  expect(waiting()).toEqual([leaving, other]);
  expect(waiting(leaving!)).toEqual([other]);
  expect(waiting(leaving!, other!)).toEqual([]);
});

it('a buyer’s wish is never told as verified; a network that is gone keeps its id', () => {
  const wish = { network: 'gone', address: '0xef', note: null, createdAt: CREATED };
  expect(presentRequest(wish, places)).toEqual({
    network: 'gone',
    networkName: 'gone',
    address: '0xef',
    note: null,
    at: CREATED,
    verified: false,
  });
  expect(presentRequest({ ...wish, network: 'ethereum' }, places).networkName).toBe('Ethereum');
});
