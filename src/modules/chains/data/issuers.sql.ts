/** What addresses come from: extended keys, and destinations. By `id`, with its merchant. */
export const ISSUERS = `(SELECT id, merchant_id, family FROM extended_key
                         UNION ALL SELECT id, merchant_id, 'evm' FROM destination)`;
