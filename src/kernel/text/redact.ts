/**
 * What looks like one of our credentials is cut out of every line of a log, wherever it came from. Extended keys by the
 * letters of SLIP-132, public ones too: with one of them all of a merchant's income can be watched.
 */
const SECRETS =
  /(svc_live_|whsec_)[\w+/=-]{8,}|([xyzYZtuvUV]p(?:ub|rv)|[LMt]t(?:ub|pv))[1-9A-HJ-NP-Za-km-z]{20,}/g;

export function redact(text: string): string {
  return text.replace(SECRETS, (_match, token?: string, key?: string) => `${token ?? key}[redacted]`);
}
