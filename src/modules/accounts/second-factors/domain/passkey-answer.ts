import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';
import { z } from 'zod';
import { isObject } from '../../../../kernel/error-fields.js';
import { judgeForeign, listOfAll, textLike } from '../../../../kernel/foreign-json.js';

/** What a browser sends after it has asked a passkey, as far as we read it before the library verifies it. */
export interface PasskeyAnswer {
  /** Of the passkey: base64url of at most 1023 bytes. */
  readonly id: string;
  readonly challenge: string;
  readonly userHandle: string | null;
}

/** Base64url of 1 to 1023 bytes, which is as many as a credential id has (WebAuthn 3, "Credential ID"). */
const CREDENTIAL_ID = /^[\w-]{2,1364}$/;
/** Ways to reach an authenticator (WebAuthn 3, 5.8.4); a browser may know others than we do. */
const isTransport = (entry: unknown): entry is string =>
  typeof entry === 'string' && /^[a-z-]{1,32}$/.test(entry);
const MOST_TRANSPORTS = 20;

const credentialId = textLike(CREDENTIAL_ID, 'is no credential id');
const CREDENTIAL = z.object({ id: credentialId, rawId: credentialId, type: z.literal('public-key') });
const REGISTRATION = CREDENTIAL.extend({
  response: z.object({
    clientDataJSON: z.string(),
    attestationObject: z.string(),
    transports: listOfAll(isTransport, 'must be ways to reach it')
      .refine(({ length }) => length <= MOST_TRANSPORTS)
      .nullish()
      .transform((known) => known ?? undefined),
  }),
});
const AUTHENTICATION = CREDENTIAL.extend({
  response: z.object({ clientDataJSON: z.string(), authenticatorData: z.string(), signature: z.string() }),
});

/** Of extensions; the library reads none. */
const NONE_ASKED_FOR = {};

/** `null` for anything that no browser sends: what is no id is never looked up. @param json of a `PublicKeyCredential` */
export function readPasskeyAnswer(json: string): PasskeyAnswer | null {
  const answer = objectOf(json);
  const response = answer?.['response'];
  if (!isObject(response)) return null;
  const { clientDataJSON, userHandle } = response;
  const id = answer?.['id'];
  if (typeof clientDataJSON !== 'string' || typeof id !== 'string' || !CREDENTIAL_ID.test(id)) return null;
  const challenge = objectOf(Buffer.from(clientDataJSON, 'base64url').toString('utf8'))?.['challenge'];
  if (typeof challenge !== 'string') return null;
  return { id, challenge, userHandle: typeof userHandle === 'string' ? userHandle : null };
}

/** What the library verifies of a passkey that was made; `null` as above. */
export function readRegistration(json: string): RegistrationResponseJSON | null {
  const answer = judgeForeign(REGISTRATION, objectOf(json));
  return 'value' in answer ? { ...answer.value, clientExtensionResults: NONE_ASKED_FOR } : null;
}

/** What the library verifies of a passkey that was used; `null` as above. */
export function readAuthentication(json: string): AuthenticationResponseJSON | null {
  const answer = judgeForeign(AUTHENTICATION, objectOf(json));
  return 'value' in answer ? { ...answer.value, clientExtensionResults: NONE_ASKED_FOR } : null;
}

/** What we call a person to a passkey, as it says it back. */
export function userHandleOf(personId: string): string {
  return Buffer.from(personId).toString('base64url');
}

function objectOf(json: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(json);
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}
