/** Finds the good key of a hash ($1) as a `KeyRow` (`keyed-read.types.ts`). @param columns beside it, each led by a comma; `joins`: what they are of, led by a blank */
export const keyedSql = (columns = '', joins = '') => `
  SELECT k.id AS "keyId", k.merchant_id AS "keyOwner", k.scopes AS "keyScopes", k.last_used_at AS "keyUsedAt",
         m.status AS "ownerStatus", clock_timestamp() AS "keyFoundAt"${columns}
  FROM api_key k JOIN merchant m ON m.id = k.merchant_id${joins}
  WHERE k.hash = $1 AND k.revoked_at IS NULL`;
