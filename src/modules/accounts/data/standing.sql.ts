import { MERCHANT_STATUSES } from '../../merchants/merchants.types.js';
import { STANDING_ALLOWS } from '../accounts.types.js';

const SHUT = MERCHANT_STATUSES.filter((status) => STANDING_ALLOWS[status] === 'nothing');

/** SQL over `merchant m`: its people may do there what their roles say. */
export const IS_OPEN_TO_ITS_PEOPLE = SHUT.map((status) => `m.status <> '${status}'`).join(' AND ');
