import { CREATED, factsOf, network, places, transfer } from '../../../../../test/support/payment.js';
import { networksOf, presentRefund, presentRequest, type StoredRefund } from './refund-request.js';

const TXID = `0x${'ab'.repeat(32)}`;

it('money can be asked back on the networks on which it came, each once, while they are configured', () => {
  const transfers = ['ethereum', 'ethereum', 'gone'].map((id) => transfer({ network: id }));
  const ids = transfers.map(({ id }) => id);
  expect(networksOf(ids, factsOf(transfers), places)).toEqual([network]);
  expect(networksOf([ids[2]!], factsOf(transfers), places)).toEqual([]);
});

it('a buyer’s wish is never told as verified; a network that is gone keeps its id', () => {
  const wish = { network: 'gone', address: '0xef', note: null, createdAt: CREATED };
  expect(presentRequest(wish, places)).toEqual({
    ...{ network: 'gone', networkName: 'gone', address: '0xef', note: null, at: CREATED, verified: false },
  });
  expect(presentRequest({ ...wish, network: 'ethereum' }, places).networkName).toBe('Ethereum');
});

describe('a refund that was recorded', () => {
  const stored: StoredRefund = {
    ...{ refundAmount: '12.5', refundNetwork: 'ethereum', refundAsset: 'USDC', refundTxid: TXID },
    createdAt: CREATED,
  };

  it('is told with a link to its transaction', () => {
    expect(presentRefund(stored, places)).toEqual({
      ...{ amount: '12.5', asset: 'USDC', network: 'ethereum', networkName: 'Ethereum', txid: TXID },
      ...{ explorerUrl: `https://explorer.example/tx/${TXID}`, at: CREATED },
    });
  });

  it.each([
    ['no id', { refundTxid: null }],
    ['what is no hash', { refundTxid: 'sent by hand' }],
    ['a hash and more', { refundTxid: `${TXID}/../../login` }],
    ['more and a hash', { refundTxid: `javascript:${TXID}` }],
    ['a network that is not configured', { refundNetwork: 'gone' }],
    ['no network', { refundNetwork: null }],
  ])('is no link with %s', (_what, given) => {
    expect(presentRefund({ ...stored, ...given }, places).explorerUrl).toBeNull();
  });

  it('has a link for a hash without 0x, as Bitcoin writes it', () => {
    const bare = TXID.slice(2);
    expect(presentRefund({ ...stored, refundTxid: bare }, places).explorerUrl).toContain(bare);
  });

  it('of a network that is gone, or from before refunds named theirs, says what is known', () => {
    expect(presentRefund({ ...stored, refundNetwork: 'gone' }, places).networkName).toBe('gone');
    const old = { ...stored, refundAmount: null, refundNetwork: null, refundAsset: null };
    expect(presentRefund(old, places)).toMatchObject({
      ...{ amount: '', asset: null, network: null, networkName: null, txid: TXID },
    });
  });
});
