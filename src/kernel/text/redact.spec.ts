import { redact } from './redact.js';

const KEY = 'svc_live_0123456789ABCDEFGHIJKLMNOPQRSTUV';
const SECRET = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD';
const BODY =
  '661MyMwAqRbcFtXgS5sYJABqqG9YLmC4Q1Rdap9gSE8NqtwybGhePY2gZ29ESFjqJoCu1Rupje8YtGqsefD265TMg7usUDFdp6W1EGMcet8';

describe('redact', () => {
  it.each([
    'xpub',
    'ypub',
    'zpub',
    'Ypub',
    'Zpub',
    'tpub',
    'upub',
    'vpub',
    'Upub',
    'Vpub',
    'Ltub',
    'Mtub',
    'ttub',
    'xprv',
    'yprv',
    'zprv',
    'Yprv',
    'Zprv',
    'tprv',
    'uprv',
    'vprv',
    'Uprv',
    'Vprv',
    'Ltpv',
    'Mtpv',
    'ttpv',
  ])('cuts an extended key that begins with %s, wherever it stands', (prefix) => {
    expect(redact(`wpkh([d34db33f/84h]${prefix}${BODY}/0/*) key=${prefix}${BODY}`)).toBe(
      `wpkh([d34db33f/84h]${prefix}[redacted]/0/*) key=${prefix}[redacted]`,
    );
  });

  it('cuts API keys and webhook secrets, and leaves words alone', () => {
    expect(redact(`${KEY} ${SECRET}`)).toBe('svc_live_[redacted] whsec_[redacted]');
    expect(redact('the xpub of mer_1 is public; whsec_ is a prefix')).toBe(
      'the xpub of mer_1 is public; whsec_ is a prefix',
    );
  });
});
