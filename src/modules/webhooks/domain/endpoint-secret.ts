import type { SecretPlace } from '../../../platform/secrets/secret-box.js';
import { SEALED_SECRETS } from '../webhooks.types.js';

export function placeOfSecret(endpointId: string): SecretPlace {
  return { table: SEALED_SECRETS.table, column: SEALED_SECRETS.boundAs, rowId: endpointId };
}
