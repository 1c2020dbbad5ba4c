import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';
import { z } from 'zod';
import { isObject } from '../../../../kernel/error-fields.js';
import { judgeForeign } from '../../../../kernel/foreign-json.js';

/** What a browser sends after it has asked a passkey, as far as we read it before the library verifies it. */
export interface PasskeyAnswer {
  readonly id: string;
  readonly challenge: string;
  readonly userHandle: string | null;
}

const CREDENTIAL = z.object({ id: z.string(), rawId: z.string(), type: z.literal('public-key') });
const REGISTRATION = CREDENTIAL.extend({
  response: z.object({
    clientDataJSON: z.string(),
    attestationObject: z.string(),
    transports: z
      .array(z.string())
      .nullish()
      .transform((known) => known ?? undefined),
  }),
});
const AUTHENTICATION = CREDENTIAL.extend({
  response: z.object({ clientDataJSON: z.string(), authenticatorData: z.string(), signature: z.string() }),
});

/** Of extensions; the library reads none. */
const NONE_ASKED_FOR = {};

/** `null` for anything that no browser sends. @param json of a `PublicKeyCredential` */
export function readPasskeyAnswer(json: string): PasskeyAnswer | null {
  const answer = objectOf(json);
  const response = answer?.['response'];
  if (!isObject(response)) return null;
  const { clientDataJSON, userHandle } = response;
  if (typeof clientDataJSON !== 'string' || typeof answer?.['id'] !== 'string') return null;
  const challenge = objectOf(Buffer.from(clientDataJSON, 'base64url').toString('utf8'))?.['challenge'];
  if (typeof challenge !== 'string') return null;
  return { id: answer['id'], challenge, userHandle: typeof userHandle === 'string' ? userHandle : null };
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
