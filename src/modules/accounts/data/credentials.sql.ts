/**
 * SQL over `person p`: what opens the account by now, as a text that is another one after each change of any of it. Whatever was
 * proved is compared by it again before it opens or changes something: looking at a password may take seconds.
 */
export const CREDENTIALS = `
  md5(ROW(p.password_hash, p.totp_enabled_at, ARRAY(SELECT k.id FROM passkey k WHERE k.person_id = p.id ORDER BY k.id))::text)`;
