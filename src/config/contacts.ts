import { isEmail } from '../kernel/text/email.js';
import { parseUrl } from '../kernel/text/parse-url.js';
import type { MailConfig, OperatorConfig } from './config.types.js';
import type { EnvReader } from './environment.js';
import { isHttpUrl } from './networks-file.js';

/** What Standard Webhooks' libraries read. */
const WEBHOOK_SECRET = /^whsec_[A-Za-z0-9+/]{32,}={0,2}$/;

/** `SMTP_URL` and `MAIL_FROM`, both or none. */
export function mail(read: EnvReader): MailConfig | null {
  const smtpUrl = read.optional('SMTP_URL');
  const from = read.optional('MAIL_FROM');
  if (smtpUrl === null && from === null) return null;
  // The URL holds a password: it is never quoted.
  const parsed = smtpUrl === null ? null : parseUrl(smtpUrl);
  if (!parsed || !/^smtps?:$/.test(parsed.protocol) || parsed.hostname === '')
    read.problems.push('SMTP_URL must be a URL such as smtp://user:password@mail.example.com:587');
  const address = /^[^<>\r\n]*<([^<>]+)>$/.exec(from ?? '')?.[1] ?? from ?? '';
  if (!isEmail(address)) read.problems.push('MAIL_FROM must be an address such as Rappen <pay@example.com>');
  return { smtpUrl: smtpUrl ?? '', from: from ?? '' };
}

/** Who is told when the instance itself needs somebody. */
export function operator(read: EnvReader): OperatorConfig {
  const emails = (read.optional('OPERATOR_EMAIL') ?? '')
    .split(',')
    .map((address) => address.trim())
    .filter((address) => address !== '');
  if (!emails.every(isEmail)) read.problems.push('OPERATOR_EMAIL must be addresses, separated by commas');
  const url = read.optional('OPERATOR_WEBHOOK_URL');
  if (url !== null && !isHttpUrl(url)) read.problems.push('OPERATOR_WEBHOOK_URL must be an http(s) URL');
  const secret = read.optional('OPERATOR_WEBHOOK_SECRET');
  if (secret !== null && !WEBHOOK_SECRET.test(secret))
    read.problems.push('OPERATOR_WEBHOOK_SECRET must be whsec_ and at least 24 random bytes in base64');
  return { emails, webhook: url === null ? null : { url, secret } };
}

/** RFC 9116 wants a URI. */
export function securityContact(read: EnvReader): string | null {
  const contact = read.optional('SECURITY_CONTACT');
  const email = contact === null ? undefined : /^mailto:([^?]+)(?:\?[\x21-\x7e]*)?$/.exec(contact)?.[1];
  if (contact !== null && !(email ? isEmail(email) : /^https:\/\/[\x21-\x7e]+$/.test(contact)))
    read.problems.push('SECURITY_CONTACT must be mailto:… or https://…');
  return contact;
}
