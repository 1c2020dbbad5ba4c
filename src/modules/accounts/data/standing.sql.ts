import { MERCHANT_STATUSES } from '../../merchants/merchants.types.js';
import { MERCHANT_PERMISSIONS, STANDING_ALLOWS } from '../accounts.types.js';

const SHUT = MERCHANT_STATUSES.filter((status) => STANDING_ALLOWS[status] === 'nothing');

/** SQL over `merchant m`: its people may do there what their roles say. */
export const IS_OPEN_TO_ITS_PEOPLE = SHUT.map((status) => `m.status <> '${status}'`).join(' AND ');

/** SQL over `one_time_link l`: it can still be used. */
export const IS_OPEN_LINK = 'l.used_at IS NULL AND l.expires_at > clock_timestamp()';

const INVITERS = MERCHANT_PERMISSIONS['people:manage'].map((role) => `'${role}'`).join(', ');

/**
 * Of an invitation `l`: whoever made it could still make it. The command line and operators can for as long as there is
 * somebody to join; a merchant's own people while they manage its people.
 */
export const INVITATION_STANDS = `(
  (l.merchant_id IS NULL OR EXISTS (SELECT FROM merchant m WHERE m.id = l.merchant_id AND ${IS_OPEN_TO_ITS_PEOPLE}))
  AND (l.invited_by IS NULL
    OR EXISTS (SELECT FROM person p WHERE p.id = l.invited_by AND p.is_operator)
    OR NOT l.is_operator AND EXISTS (
      SELECT FROM membership ms
      WHERE ms.person_id = l.invited_by AND ms.merchant_id = l.merchant_id AND ms.role IN (${INVITERS}))))`;
