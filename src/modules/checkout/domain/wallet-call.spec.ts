import { checkoutStates } from '../../../../test/support/checkout/checkout-states.js';
import { walletCall } from './wallet-call.js';

const quote = checkoutStates.waiting!.quote!;
const call = quote.call!;

describe('walletCall', () => {
  it('reads recipient and amount from the bytes that the wallet gets', () => {
    expect(walletCall(quote)).toEqual({
      chainId: 1,
      to: call.to,
      transfer: { to: quote.address, atoms: '56123400' },
      value: '0',
      data: call.data,
    });
  });

  it('shows whose address is in them, though the page says another', () => {
    const thief = '00000000000000000000000000000000deadbeef';
    const data = call.data.replace(quote.address.slice(2).toLowerCase(), thief);
    expect(walletCall({ ...quote, call: { ...call, data } })?.transfer?.to).toBe(`0x${thief}`);
  });

  it('reads nothing into bytes of another shape', () => {
    for (const data of ['0x', '0xa9059cbb', call.data.replace('a9059cbb', '095ea7b3'), `${call.data}00`])
      expect(walletCall({ ...quote, call: { ...call, data } })).toMatchObject({ transfer: null, data });
  });

  it('of the network’s own coin is its amount in wei to the address itself', () => {
    const coin = { chainId: 1, to: quote.address, data: '0x', value: '0x42e9e0c205a800' } as const;
    expect(walletCall({ ...quote, call: coin })).toMatchObject({
      to: quote.address,
      transfer: null,
      value: '18834500000000000',
    });
  });

  it('is none where no such wallet pays', () => {
    expect(walletCall(checkoutStates['waiting-btc']!.quote!)).toBeNull();
  });
});
