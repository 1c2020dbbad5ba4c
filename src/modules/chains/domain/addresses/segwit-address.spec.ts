import { bech32 } from '@scure/base';
import { HDKey } from '@scure/bip32';
import { mnemonicToAccount } from 'viem/accounts';
import { DomainError } from '../../../../kernel/domain-error.js';
import { deriveAddress } from './derive-address.js';
import { parseExtendedKey } from './extended-key.js';
import { addressOfKey, addressOfScript, isKeyHashAddress } from './segwit-address.js';
import { PUBLIC_KEY_KINDS } from './slip132.js';

const ABANDON = `${'abandon '.repeat(11)}about`;
/** BIP84's own vector: the account m/84'/0'/0' of "abandon … about". */
const ZPUB =
  'zpub6rFR7y4Q2AijBEqTUquhVz398htDFrtymD9xYYfG1m4wAcvPhXNfE3EfH1r1ADqtfSdVCToUG868RvUUkgDKf31mGDtKsAYz2oz2AGutZYs';

function accountKey(coinType: number, kind: string): string {
  const path = `m/84'/${coinType}'/0'` as never;
  const { depth, index, parentFingerprint, chainCode, publicKey } = mnemonicToAccount(ABANDON, {
    path,
  }).getHdKey();
  const versions = PUBLIC_KEY_KINDS[kind]!;
  const parts = { versions, depth, index, parentFingerprint, chainCode: chainCode!, publicKey: publicKey! };
  return new HDKey(parts).publicExtendedKey;
}

describe('a segwit address', () => {
  it('is the one of BIP84’s test vectors', () => {
    const bitcoin = { family: 'bitcoin', chain: 'main' } as const;
    expect(accountKey(0, 'zpub')).toBe(ZPUB);
    expect(deriveAddress(bitcoin, ZPUB, 0)).toEqual({
      address: 'bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu',
      watchedAddress: 'bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu',
    });
    expect(deriveAddress(bitcoin, ZPUB, 1).address).toBe('bc1qnjg0jd8228aq7egyzacy8cys3knf9xvrerkf9g');
  });

  it('is the same from every spelling of a key, and begins as its chain does', () => {
    const hash = 'c0cebcd6c3d3ca8c75dc5ec62ebe55330ef910e2';
    expect(deriveAddress({ family: 'bitcoin', chain: 'main' }, accountKey(0, 'xpub'), 0).address).toBe(
      addressOfScript('bc', `0014${hash}`),
    );
    const prefixes = (['main', 'test', 'regtest'] as const).flatMap((chain) =>
      (['bitcoin', 'litecoin'] as const).map((family) => {
        const { address } = deriveAddress(
          { family, chain },
          accountKey(0, chain === 'main' ? 'zpub' : 'vpub'),
          0,
        );
        return address.slice(0, address.lastIndexOf('1'));
      }),
    );
    expect(prefixes).toEqual(['bc', 'ltc', 'tb', 'tltc', 'bcrt', 'rltc']);
  });

  it('of Litecoin is the one that its wallets show for "abandon … about"', () => {
    const litecoin = { family: 'litecoin', chain: 'main' } as const;
    expect(deriveAddress(litecoin, accountKey(2, 'zpub'), 0).address).toBe(
      'ltc1qjmxnz78nmc8nq77wuxh25n2es7rzm5c2rkk4wh',
    );
    expect(deriveAddress(litecoin, accountKey(2, 'Ltub'), 0).address).toBe(
      'ltc1qjmxnz78nmc8nq77wuxh25n2es7rzm5c2rkk4wh',
    );
  });

  it('is read from a P2WPKH script, and from no other', () => {
    // BIP173's first example.
    const script = '0014751e76e8199196d454941c45d1b3a323f1433bd6';
    expect(addressOfScript('bc', script)).toBe('bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4');
    const others = [
      `0020${'00'.repeat(32)}`,
      `5120${'00'.repeat(32)}`,
      `76a914${'00'.repeat(20)}88ac`,
      '',
      '0014',
    ];
    expect(others.map((other) => addressOfScript('bc', other))).toEqual(others.map(() => null));
  });

  it('is that of a public key', () => {
    // BIP173's example, of the generator's key.
    const key = '0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798';
    expect(addressOfKey('bc', key)).toBe('bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4');
  });

  it('is known from one of a script, of taproot, or of none', () => {
    const scriptHash = 'bc1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3qccfmv3';
    const taproot = 'bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0';
    const [version1] = [bech32.encode('bc', [1, ...bech32.toWords(new Uint8Array(20))])];
    const others = [scriptHash, taproot, version1, '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa', ''];
    expect(isKeyHashAddress('bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4')).toBe(true);
    expect(others.filter(isKeyHashAddress)).toEqual([]);
  });

  it('is not derived from hardened indexes', () => {
    expect(() => deriveAddress({ family: 'bitcoin', chain: 'main' }, ZPUB, 2 ** 31)).toThrow(RangeError);
  });
});

describe('a key of the wrong network', () => {
  const refusal = (text: string, ...where: ['bitcoin' | 'litecoin', 'main' | 'test' | 'regtest']): string => {
    try {
      parseExtendedKey(text, ...where);
    } catch (error) {
      if (error instanceof DomainError) return error.message;
    }
    throw new Error('it was not refused');
  };

  it('is refused both ways, with the reason', () => {
    for (const kind of ['vpub', 'tpub']) {
      expect(refusal(accountKey(1, kind), 'bitcoin', 'main')).toContain('a test network');
      expect(parseExtendedKey(accountKey(1, kind), 'litecoin', 'regtest').family).toBe('litecoin');
    }
    for (const kind of ['zpub', 'xpub']) {
      expect(refusal(accountKey(0, kind), 'bitcoin', 'regtest')).toContain('the main network');
      expect(refusal(accountKey(0, kind), 'litecoin', 'test')).toContain('the main network');
    }
    expect(refusal(accountKey(2, 'Ltub'), 'bitcoin', 'main')).toContain('begin with xpub / zpub.');
  });

  it('of a kind whose wallets look at other scripts is refused', () => {
    for (const kind of ['ypub', 'Zpub', 'upub', 'Mtub']) {
      expect(refusal(accountKey(0, kind), 'litecoin', 'main')).toContain('begin with xpub / zpub / Ltub.');
    }
  });
});
