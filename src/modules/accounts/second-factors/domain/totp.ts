import { createHmac, timingSafeEqual } from 'node:crypto';

/** RFC 6238 with what every authenticator understands: SHA-1, six digits, thirty seconds. */
const DIGITS = 6;
const STEP_S = 30;
/** One step each way, for a clock that is wrong by half a minute and a person who types slowly. */
const DRIFT_STEPS = 1;

export function stepAt(now: Date): number {
  return Math.floor(now.getTime() / 1000 / STEP_S);
}

/** RFC 4226 5.3. */
export function codeAt(secret: Buffer, step: number, digits: number = DIGITS): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const mac = createHmac('sha1', secret).update(counter).digest();
  const offset = mac.readUInt8(mac.length - 1) & 15;
  const number = mac.readUInt32BE(offset) & 0x7fffffff;
  return String(number % 10 ** digits).padStart(digits, '0');
}

/** The step whose code this is, of those that count now; `null` for none. */
export function stepOfCode(secret: Buffer, code: string, now: Date): number | null {
  const typed = Buffer.from(code.replace(/\s/g, ''));
  const current = stepAt(now);
  let found: number | null = null;
  for (let step = current - DRIFT_STEPS; step <= current + DRIFT_STEPS; step++) {
    const expected = Buffer.from(codeAt(secret, step));
    if (typed.length === expected.length && timingSafeEqual(typed, expected)) found = step;
  }
  return found;
}

/** What an authenticator reads from the QR code. */
export function totpUri(secretBase32: string, email: string, issuer: string): string {
  const label = `${encodeURIComponent(issuer)}:${encodeURIComponent(email)}`;
  return `otpauth://totp/${label}?secret=${secretBase32}&issuer=${encodeURIComponent(issuer)}`;
}
