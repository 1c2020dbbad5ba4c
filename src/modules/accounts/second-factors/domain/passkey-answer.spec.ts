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

  it('needs to hear of no way in which a passkey is reached', () => {
    for (const transports of [undefined, null])
      expect(readRegistration(answer({ ...made, transports }))?.response.transports).toBeUndefined();
  });

  it.each([
    ['no attestation', answer({ ...made, attestationObject: undefined })],
    ['an attestation that is no text', answer({ ...made, attestationObject: {} })],
    ['ways that are no texts', answer({ ...made, transports: [1] })],
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
    ['no JSON', '{'],
  ])('is nothing of a passkey that was used, with %s', (_, json) => {
    expect(readAuthentication(json)).toBeNull();
  });
});
