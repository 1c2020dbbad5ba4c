import { statement } from '../../../../database/statement.js';

/** What addresses come from: extended keys, and destinations. By `id`, with its merchant. */
export const ISSUERS = `(SELECT id, merchant_id, family FROM extended_key
                         UNION ALL SELECT id, merchant_id, 'evm' FROM destination)`;

/**
 * Whether an address is a merchant's own: issued for it, paid out to by its deposit addresses, or named by it. What comes from there is no
 * payment. $2: the family.
 */
export const isOwnSql = (merchantId: string, address: string) => `(
       EXISTS (SELECT FROM address p JOIN ${ISSUERS} pk ON pk.id = coalesce(p.extended_key_id, p.destination_id)
                WHERE p.family = $2 AND p.address = ${address} AND pk.merchant_id = ${merchantId})
       OR EXISTS (SELECT FROM destination d WHERE $2 = 'evm' AND d.merchant_id = ${merchantId} AND d.address = ${address})
       OR EXISTS (SELECT FROM own_address o
                   WHERE o.merchant_id = ${merchantId} AND o.family = $2 AND o.address = ${address}))`;

/** What issuing an address shares, and whoever gives up blocks of its family, or names an address, has alone. */
export const issuingLockSql = (family: string) => `hashtextextended('rewind:' || ${family}, 0)`;

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
