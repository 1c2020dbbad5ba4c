import { statement } from '../../../../database/statement.js';

/** What addresses come from: extended keys, and destinations. By `id`, with its merchant. */
export const ISSUERS = `(SELECT id, merchant_id, family FROM extended_key
                         UNION ALL SELECT id, merchant_id, 'evm' FROM destination)`;

/** Of a family: whether anybody was ever told to pay there. */
export const ANY_ADDRESS = statement(
  'chains-any-address',
  'SELECT EXISTS (SELECT FROM address WHERE family = $1) AS issued',
);

export const ANY_FORWARDER = statement(
  'chains-any-forwarder',
  'SELECT EXISTS (SELECT FROM address WHERE destination_id IS NOT NULL) AS issued',
);

export const OWNERS = statement(
  'chains-owners',
  'SELECT address, subject FROM address WHERE family = $1 AND address = ANY ($2)',
);

/** Those among them, if any, that were issued, and whether they are deposit addresses without keys. */
export const ISSUED = statement(
  'chains-issued',
  `SELECT address, subject, destination_id IS NOT NULL AS "isForwarder" FROM address
    WHERE family = $1 AND address = ANY ($2)`,
);
