import { HDKey } from '@scure/bip32';
import { mnemonicToAccount } from 'viem/accounts';
import { DomainError } from '../../../../kernel/domain-error.js';
import { deriveEvmAddress } from './evm-address.js';
import { parseExtendedKey } from './extended-key.js';
import { PUBLIC_KEY_KINDS } from './slip132.js';

const ABANDON = `${'abandon '.repeat(11)}about`;
const JUNK = 'test test test test test test test test test test test junk';
const account = (mnemonic: string, path: "m/44'/60'/0'" = "m/44'/60'/0'"): HDKey =>
  mnemonicToAccount(mnemonic, { path: path }).getHdKey();

// BIP32, test vector 1: m/0'/1/2' and m/0'/1/2'/2.
const TV1_DEPTH_3 =
  'xpub6D4BDPcP2GT577Vvch3R8wDkScZWzQzMMUm3PWbmWvVJrZwQY4VUNgqFJPMM3No2dFDFGTsxxpG5uJh7n7epu4trkrX7x7DogT5Uv6fcLW5';
const TV1_DEPTH_4 =
  'xpub6FHa3pjLCk84BayeJxFW2SP4XRrFd1JYnxeLeU8EqN3vDfZmbqBqaGJAyiLjTAwm6ZLRQUMv1ZACTj37sR62cfN7fe5JnJ7dh8zL4fiyLHV';
const TV1_PRIVATE =
  'xprv9z4pot5VBttmtdRTWfWQmoH1taj2axGVzFqSb8C9xaxKymcFzXBDptWmT7FwuEzG3ryjH4ktypQSAewRiNMjANTtpgP4mLTj34bhnZX7UiM';
// BIP32, test vector 3: leading zeros; m and m/0'.
const TV3 =
  'xpub661MyMwAqRbcEZVB4dScxMAdx6d4nFc9nvyvH3v4gJL378CSRZiYmhRoP7mBy6gSPSCYk6SzXPTf3ND1cZAceL7SfJ1Z3GC8vBgp2epUt13';
// BIP84: the account key of "abandon … about".
const BIP84_ZPUB =
  'zpub6rFR7y4Q2AijBEqTUquhVz398htDFrtymD9xYYfG1m4wAcvPhXNfE3EfH1r1ADqtfSdVCToUG868RvUUkgDKf31mGDtKsAYz2oz2AGutZYs';
// A public key whose chain code spells "yprv".
const WITH_YPRV =
  'xpub6BhHEq49ptjDUtMdbWdAsVoLyprvR2LSWaHsKntGNQwKtpQp3uMyW1HR6xFL9WLHfZ41TfUsCCfyBTudEeVe2fDKun9E2vFiK3Bu5CiA7gT';

function refusal(text: string, family: 'evm' | 'bitcoin' = 'evm'): DomainError {
  try {
    parseExtendedKey(text, family);
  } catch (error) {
    if (error instanceof DomainError) return error;
  }
  throw new Error('it was not refused');
}

describe('parseExtendedKey', () => {
  it('accepts an account-level key, and blanks around it', () => {
    const { publicExtendedKey } = account(ABANDON);
    const key = parseExtendedKey(` ${publicExtendedKey}\n`, 'evm');
    expect(key.xpub).toBe(publicExtendedKey);
    expect(key.material).toMatch(/^0[23][0-9a-f]{128}$/);
  });

  it('reads the vectors of BIP32, and derives the next public key from the public key alone', () => {
    expect(parseExtendedKey(TV1_DEPTH_3, 'evm').family).toBe('evm');
    expect(HDKey.fromExtendedKey(TV1_DEPTH_3).deriveChild(2).publicExtendedKey).toBe(TV1_DEPTH_4);
    expect(refusal(TV1_DEPTH_4).code).toBe('invalid-extended-key');
    expect(refusal(TV3).message).toContain('open the details of an account');
  });

  it('knows one key in two spellings as the same', () => {
    const { depth, index, parentFingerprint, chainCode, publicKey } = HDKey.fromExtendedKey(
      BIP84_ZPUB,
      PUBLIC_KEY_KINDS['zpub'],
    );
    const parts = { depth, index, parentFingerprint, chainCode: chainCode!, publicKey: publicKey! };
    const asXpub = new HDKey(parts).publicExtendedKey;
    expect(asXpub).toMatch(/^xpub/);
    expect(parseExtendedKey(asXpub, 'bitcoin').material).toBe(
      parseExtendedKey(BIP84_ZPUB, 'bitcoin').material,
    );
  });

  it('refuses a kind of another family, a typo and garbage', () => {
    expect(refusal(BIP84_ZPUB).code).toBe('invalid-extended-key');
    for (const text of [`${TV1_DEPTH_3.slice(0, -1)}6`, 'xpub', '', 'hello', `${TV1_DEPTH_3}1`]) {
      expect(refusal(text).code).toBe('invalid-extended-key');
    }
  });

  it.each([
    ['main', 'zpub', 'vpub'],
    ['regtest', 'vpub', 'zpub'],
  ] as const)('says how a key of the chain %s begins', (chain, begins, other) => {
    const refused = () => parseExtendedKey('hello', 'bitcoin', chain);
    expect(refused).toThrow(begins);
    expect(refused).not.toThrow(other);
  });

  it('refuses everything that could spend, and never repeats it', () => {
    const key = account(ABANDON);
    const kinds = Object.values(PUBLIC_KEY_KINDS).map(
      (versions) =>
        new HDKey({ versions, chainCode: key.chainCode!, privateKey: key.privateKey! }).privateExtendedKey,
    );
    const raw = Buffer.from(key.privateKey!).toString('hex');
    const wif = '5HueCGU8rMjxEXxiPuD5BDku4MkFqeZyd4dZ1jvhTVqvbTLvyTJ';
    for (const text of [TV1_PRIVATE, ...kinds, raw, `0x${raw}`, wif, ABANDON, ` ${JUNK.toUpperCase()} `]) {
      const { code, message } = refusal(text, 'bitcoin');
      expect(code).toBe('private-key-refused');
      expect(message).not.toContain(text.trim());
    }
  });
});

it('takes a public key that has the letters of a private one within it', () => {
  expect(parseExtendedKey(WITH_YPRV, 'evm').xpub).toBe(WITH_YPRV);
});

describe('deriveEvmAddress', () => {
  it("derives the well-known address of 'abandon … about'", () => {
    expect(deriveEvmAddress(account(ABANDON).publicExtendedKey, 0)).toEqual({
      address: '0x9858EfFD232B4033E47d90003D41EC34EcaEda94',
      watchedAddress: '0x9858effd232b4033e47d90003d41ec34ecaeda94',
    });
  });

  it("derives anvil's accounts, and the same ones as viem does from the private key", () => {
    const { publicExtendedKey } = account(JUNK);
    expect(deriveEvmAddress(publicExtendedKey, 0).address).toBe('0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266');
    expect(deriveEvmAddress(publicExtendedKey, 1).address).toBe('0x70997970C51812dc3A010C7d01b50e0d17dc79C8');
    for (let addressIndex = 2; addressIndex < 20; addressIndex++) {
      const expected = mnemonicToAccount(JUNK, { addressIndex }).address;
      expect(deriveEvmAddress(publicExtendedKey, addressIndex).address).toBe(expected);
    }
  });

  it('refuses hardened indexes', () => {
    expect(() => deriveEvmAddress(account(JUNK).publicExtendedKey, 2 ** 31)).toThrow(RangeError);
  });
});
