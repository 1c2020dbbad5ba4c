import { sign, type SignatureHeaders } from '../../../kernel/webhook-signature.js';
import type { SecretBox } from '../../../platform/secrets/secret-box.js';
import type { Claim } from '../data/claim.statement.js';
import type { AttemptRecord } from '../data/record.statement.js';
import { placeOfSecret } from '../domain/endpoint-secret.js';
import { outcomeOf } from '../domain/outcome.js';
import { parseRetryAfter } from '../domain/retry-after.js';
import type { SendResult, WebhookSender } from './sender.js';

export interface AttemptContext {
  readonly sender: Pick<WebhookSender, 'send'>;
  readonly secretBox: SecretBox;
  /** In [0, 1), for the jitter. */
  readonly random: () => number;
  readonly onUnsigned: (error: unknown) => void;
}

type Signed = Pick<Claim, 'endpointId' | 'eventId' | 'body' | 'secret' | 'previousSecret'>;

/** Signs and sends one claimed delivery and decides what becomes of it. Never throws. */
export async function attempt(
  claim: Claim,
  startedAt: Date,
  context: AttemptContext,
): Promise<AttemptRecord> {
  const result = await signAndSend(claim, startedAt, context);
  const endedAtMs = startedAt.getTime() + result.durationMs;
  const answer = { ...result, retryAfterMs: parseRetryAfter(result.retryAfter, endedAtMs) };
  return {
    deliveryId: claim.deliveryId,
    leaseToken: claim.leaseToken,
    outcome: outcomeOf(answer, claim.attempts, context.random()),
    startedAt,
    durationMs: result.durationMs,
    httpStatus: result.httpStatus,
    error: result.error,
    response: result.response,
  };
}

async function signAndSend(claim: Claim, startedAt: Date, context: AttemptContext): Promise<SendResult> {
  let signature: SignatureHeaders;
  try {
    signature = signatureOf(claim, context.secretBox, startedAt);
  } catch (error) {
    context.onUnsigned(error);
    return { httpStatus: null, error: 'not-signed', durationMs: 0, response: null, retryAfter: null };
  }
  return context.sender.send({ url: claim.url, signature, body: claim.body });
}

/** A delivery's, at this moment. @throws Error for a secret that was sealed with another key, or is damaged */
export function signatureOf(
  { endpointId, eventId, body, secret, previousSecret }: Signed,
  box: SecretBox,
  at: Date,
): SignatureHeaders {
  const sealed = previousSecret === null ? [secret] : [secret, previousSecret];
  const secrets = sealed.map((one) => box.open(one, placeOfSecret(endpointId)));
  return sign(secrets, eventId, Math.floor(at.getTime() / 1_000), body);
}
