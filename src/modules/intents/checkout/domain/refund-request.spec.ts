import {
  CREATED,
  eth,
  factsOf,
  intent,
  network,
  places,
  quote,
  transfer,
} from '../../../../../test/support/intents/payment.js';
import { keptOf, networksOf, presentRequest, straysOf, waitingOf } from './refund-request.js';

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
  expect(waitingOf(null, judged, places, [])).toEqual([]);
});

it('what lay there before the buyer had the address waits for no decision of theirs', () => {
  const before = transfer({ blockHeight: 1, beforeIssue: true });
  const judged = { intent: intent({ status: 'expired' }), quotes: [quote()], facts: factsOf([before]) };
  expect(waitingOf({ transfers: [before.id] }, judged, places, [])).toEqual([]);
});

it('strays are what was sent for an intent and is of none of its quotes, wherever it came', () => {
  const own = transfer();
  const ofAnotherQuote = transfer({ asset: 'ETH', address: '0xcd' });
  const otherAsset = transfer({ asset: 'ETH' });
  const otherNetwork = transfer({ network: 'polygon' });
  const neverSent = [transfer({ asset: 'ETH', own: true }), transfer({ asset: 'ETH', beforeIssue: true })];
  const elsewhere = transfer({ asset: 'ETH', address: '0xee' });
  const transfers = [own, ofAnotherQuote, otherAsset, otherNetwork, ...neverSent, elsewhere];
  expect(straysOf({ quotes: [quote(), eth], facts: factsOf(transfers) })).toEqual([otherAsset, otherNetwork]);
});

it('money is kept that was dismissed, whatever else was decided', () => {
  const dismissed = { kind: 'dismiss', transfers: ['tr_a', 'tr_b'] };
  const others = ['accept', 'refund'].map((kind) => ({ kind, transfers: ['tr_b', 'tr_c'] }));
  expect(keptOf(others)).toEqual([]);
  expect(keptOf([...others, dismissed, dismissed])).toEqual(['tr_a', 'tr_b']);
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
