import type { SecretPlace } from '../../platform/secrets/secret-box.js';

/** Rotation moves the ciphertext from `secret` to `previous_secret` as it is, hence one place for both. */
export function placeOfSecret(endpointId: string): SecretPlace {
  return { table: 'webhook_endpoint', column: 'secret', rowId: endpointId };
}
