import { readRefund, type Refund } from './refund.js';

const usdc = { network: 'ethereum', networkName: 'Ethereum', asset: 'USDC', decimals: 6, atoms: 12_500_000n };
const eth = { network: 'ethereum', networkName: 'Ethereum', asset: 'ETH', decimals: 18, atoms: 10n ** 18n };
const MAX_TXID = 128;
const refund = (given: Partial<Refund>): Refund => ({ amount: '1', txid: null, ...given });

describe('a refund', () => {
  it.each([
    ['12.5', 12_500_000n],
    ['12.500000', 12_500_000n],
    ['0.000001', 1n],
  ])('of %s has the unit and decimals of the only money there is', (amount, atoms) => {
    expect(readRefund(refund({ amount }), [usdc])).toEqual({ of: usdc, atoms });
  });

  it.each([
    ['nothing', ''],
    ['zero', '0.000'],
    ['a sign', '-1'],
    ['an exponent', '1e3'],
    ['a comma', '1,5'],
    ['more decimals than the asset has', '0.0000001'],
    ['more than is there', '12.500001'],
  ])('is refused beside its amount with %s', (_name, amount) => {
    const refused = { code: 'validation-error', details: { errors: [{ pointer: '/amount' }] } };
    expect(() => readRefund(refund({ amount }), [usdc])).toThrow(expect.objectContaining({}));
    try {
      readRefund(refund({ amount }), [usdc]);
    } catch (error) {
      expect(error).toMatchObject(refused);
    }
  });

  it('of money of several kinds says which', () => {
    expect(() => readRefund(refund({}), [usdc, eth])).toThrow('Say what was sent back');
    expect(() => readRefund(refund({ asset: 'DAI' }), [usdc])).toThrow('Say what was sent back');
    expect(readRefund(refund({ asset: 'ETH', network: 'ethereum' }), [usdc, eth]).of).toBe(eth);
  });

  it('is refused while nothing is final', () => {
    expect(() => readRefund(refund({}), [])).toThrow('no final money');
  });
});

describe('what is wrong with a refund', () => {
  const flawOf = (given: Partial<Refund>, refundable = [usdc]) => {
    try {
      readRefund(refund(given), refundable);
    } catch (error) {
      return error as { kind: string; message: string; details: unknown };
    }
    throw new Error('it was taken');
  };

  it.each<[string, Partial<Refund>, (typeof usdc)[], string, string]>([
    [
      'no number',
      { amount: 'x' },
      [usdc],
      'amount',
      'The amount is a plain decimal of USDC, with at most 6 decimals, such as 12.50.',
    ],
    [
      'too much',
      { amount: '13' },
      [usdc],
      'amount',
      'No more than 12.5 USDC on Ethereum is final and has not been sent back yet.',
    ],
    [
      'a long id',
      { txid: 'x'.repeat(MAX_TXID + 1) },
      [usdc],
      'txid',
      `A transaction’s id has at most ${MAX_TXID} characters.`,
    ],
    ['another network', { network: 'polygon' }, [usdc], 'asset', 'Say what was sent back: USDC on Ethereum.'],
    ['two kinds', {}, [usdc, eth], 'asset', 'Say what was sent back: USDC on Ethereum, or ETH on Ethereum.'],
  ])('is said beside the field that holds it: %s', (_name, given, refundable, field, detail) => {
    expect(flawOf(given, refundable)).toMatchObject({
      kind: 'invalid',
      message: detail,
      details: { errors: [{ pointer: `/${field}`, code: 'invalid_refund', detail }] },
    });
  });

  it('is not a blank around the amount, nor an id of the greatest length', () => {
    expect(readRefund(refund({ amount: ' 1 ', txid: 'x'.repeat(MAX_TXID) }), [usdc]).atoms).toBe(1_000_000n);
  });
});
