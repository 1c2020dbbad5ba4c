import { readAuthentication, readPasskeyAnswer, readRegistration, userHandleOf } from './passkey-answer.js';

const base64url = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

it('reads what names the passkey, the challenge and the person', () => {
  const clientDataJSON = base64url({ type: 'webauthn.get', challenge: 'abc' });
  const answer = { id: 'one', response: { clientDataJSON, userHandle: 'dXNy' } };
  expect(readPasskeyAnswer(JSON.stringify(answer))).toEqual({
    id: 'one',
    challenge: 'abc',
    userHandle: 'dXNy',
  });
});

it('knows no person where the passkey names none', () => {
  const clientDataJSON = base64url({ challenge: 'abc' });
  for (const userHandle of [undefined, null, 7]) {
    const json = JSON.stringify({ id: 'one', response: { clientDataJSON, userHandle } });
    expect(readPasskeyAnswer(json)).toEqual({ id: 'one', challenge: 'abc', userHandle: null });
  }
});

it.each([1, 2, 3, 1023])('reads the id of a passkey of %d bytes', (bytes) => {
  const id = Buffer.alloc(bytes, 0xfe).toString('base64url');
  const json = JSON.stringify({ id, response: { clientDataJSON: base64url({ challenge: 'abc' }) } });
  expect(readPasskeyAnswer(json)).toEqual({ id, challenge: 'abc', userHandle: null });
});

it('a person is called what a passkey says back', () => {
  expect(Buffer.from(userHandleOf('usr_1'), 'base64url').toString()).toBe('usr_1');
});

it.each([
  ['nothing', ''],
  ['no object', '7'],
  ['null', 'null'],
  ['no response', '{"id":"one"}'],
  ['a response that is text', '{"id":"one","response":"x"}'],
  ['a response that is null', '{"id":"one","response":null}'],
  ['no client data', '{"id":"one","response":{}}'],
  ['client data that is no text', '{"id":"one","response":{"clientDataJSON":7}}'],
  ['client data that is null', `{"id":"one","response":{"clientDataJSON":"${base64url(null)}"}}`],
  ['client data that is no JSON', '{"id":"one","response":{"clientDataJSON":"!!"}}'],
  ['client data without a challenge', `{"id":"one","response":{"clientDataJSON":"${base64url({})}"}}`],
  ['no id', `{"response":{"clientDataJSON":"${base64url({ challenge: 'abc' })}"}}`],
  [
    'an id that is no text',
    `{"id":{"a":1},"response":{"clientDataJSON":"${base64url({ challenge: 'abc' })}"}}`,
  ],
  ...['', 'a', 'a\0b', 'a b', 'ab==', 'a+/b', 'ab\n', 'ä', 'a'.repeat(1365)].map((id): [string, string] => [
    `an id that is no base64url of 1 to 1023 bytes, ${JSON.stringify(id.slice(0, 5))}`,
    JSON.stringify({ id, response: { clientDataJSON: base64url({ challenge: 'abc' }) } }),
  ]),
])('takes %s for no answer', (_, json) => {
  expect(readPasskeyAnswer(json)).toBeNull();
});

describe('what the library verifies', () => {
  const credential = { id: 'one', rawId: 'one', type: 'public-key' };
  const made = { clientDataJSON: 'YQ', attestationObject: 'Yg', transports: ['usb'] };
  const used = { clientDataJSON: 'YQ', authenticatorData: 'Yg', signature: 'Yw' };
  const answer = (response: unknown, more = {}) => JSON.stringify({ ...credential, response, ...more });

  it('is what the browser said, without what nobody reads', () => {
    const unread = { clientExtensionResults: { appid: true }, authenticatorAttachment: 'platform' };
    const extensions = { clientExtensionResults: {} };
    expect(readRegistration(answer({ ...made, publicKey: 'x' }, unread))).toEqual({
      ...credential,
      ...extensions,
      response: made,
    });
    expect(readAuthentication(answer({ ...used, userHandle: 'x' }, unread))).toEqual({
      ...credential,
      ...extensions,
      response: used,
    });
  });

  it('has ways that we do not know', () => {
    const transports = ['hybrid', 'smart-card', 'not-known-yet'];
    expect(readRegistration(answer({ ...made, transports }))?.response.transports).toEqual(transports);
  });

  it('needs to hear of no way in which a passkey is reached', () => {
    for (const transports of [undefined, null])
      expect(readRegistration(answer({ ...made, transports }))?.response.transports).toBeUndefined();
  });

  it.each([
    ['no attestation', answer({ ...made, attestationObject: undefined })],
    ['an attestation that is no text', answer({ ...made, attestationObject: {} })],
    ['ways that are no texts', answer({ ...made, transports: [1] })],
    ['ways that are no list', answer({ ...made, transports: 'usb' })],
    ['a way that PostgreSQL cannot hold', answer({ ...made, transports: ['usb', 'a\0b'] })],
    ['a way of which no end is seen', answer({ ...made, transports: ['a'.repeat(33)] })],
    ['more ways than there are', answer({ ...made, transports: Array(21).fill('usb') })],
    ['an id that is none', answer(made, { id: 'a\0b', rawId: 'a\0b' })],
    ['another kind of credential', answer(made, { type: 'password' })],
    ['no id of bytes', answer(made, { rawId: undefined })],
    ['no JSON', '{'],
  ])('is nothing of a passkey that was made, with %s', (_, json) => {
    expect(readRegistration(json)).toBeNull();
  });

  it.each([
    ['no signature', answer({ ...used, signature: undefined })],
    ['a signature that is no text', answer({ ...used, signature: 7 })],
    ['no data of the authenticator', answer({ ...used, authenticatorData: undefined })],
    ['another kind of credential', answer(used, { type: 'password' })],
    ['an id that is none', answer(used, { id: 'a\0b', rawId: 'a\0b' })],
    ['no JSON', '{'],
  ])('is nothing of a passkey that was used, with %s', (_, json) => {
    expect(readAuthentication(json)).toBeNull();
  });
});
