import type { NetworkConfig } from '../../../config/config.types.js';
import { DomainError, type FieldError } from '../../../kernel/domain-error.js';
import { namesOf } from '../../../kernel/lookups.js';
import { characterCount } from '../../../kernel/text/character-count.js';
import { isEmail } from '../../../kernel/text/email.js';
import { parseUrl } from '../../../kernel/text/parse-url.js';
import type { TypedNumber } from '../../../kernel/text/typed-number.js';
import { isColor } from '../colors.pure.js';
import type { MerchantSettings } from '../merchants.types.js';
import { flawsOfTerms } from './terms.js';

const MAX_NAME_LENGTH = 100;
const MAX_CONTACT_LENGTH = 200;
const MAX_ALERT_EMAILS = 10;

/** What a number may be at most, and how to say so. Ten percent: a tolerance or spread beyond it is a slip of the hand. */
const LIMITS = {
  toleranceBps: [1_000, 'The tolerance is 0 to 10 %, with at most two decimals.'],
  spreadBps: [1_000, 'The spread is 0 to 10 %, with at most two decimals.'],
  acceptShortBps: [10_000, '“Short by at most” is 0 to 100 %, with at most two decimals.'],
  acceptShortMinor: [99_999_999, '“Short by at most” is an amount from 0 to 999999.99.'],
  acceptLateMinutes: [7 * 24 * 60, '“Late by at most” is a whole number of minutes from 0 to 10080, a week.'],
  acceptLateMoveBps: [10_000, 'The move of the rate is 0 to 100 %, with at most two decimals.'],
} as const;

/**
 * @param networks of this instance: whatever the terms say of others is nobody's business
 * @throws DomainError `validation-error` naming every setting that is out of its range
 */
export function checkSettings(
  settings: MerchantSettings<TypedNumber>,
  networks: readonly NetworkConfig[],
): asserts settings is MerchantSettings {
  const errors = [...flawsOfTexts(settings), ...flawsOfNumbers(settings)];
  if (settings.networkTerms) errors.push(...flawsOfTerms(settings.networkTerms, networks));
  if (errors.length > 0) {
    const sentences = new Set(errors.map(({ detail }) => detail));
    throw new DomainError('invalid', 'validation-error', [...sentences].join(' '), { errors });
  }
}

function flawsOfTexts({
  name,
  supportContact,
  color,
  alertEmails = [],
}: MerchantSettings<TypedNumber>): FieldError[] {
  const errors: FieldError[] = [];
  if (name !== undefined && !isText(name, MAX_NAME_LENGTH)) {
    const detail = `The name has 1 to ${MAX_NAME_LENGTH} characters.`;
    errors.push({ pointer: '/name', code: 'wrong_length', detail });
  }
  if (supportContact != null && !isContact(supportContact)) {
    const detail =
      'The support contact is an e-mail address such as help@shop.example, or an address that begins with https://, ' +
      `of at most ${MAX_CONTACT_LENGTH} characters.`;
    errors.push({ pointer: '/supportContact', code: 'invalid', detail });
  }
  if (color != null && !isColor(color)) {
    const detail = 'The colour is six hex digits behind a #, such as #0a5c36.';
    errors.push({ pointer: '/color', code: 'invalid', detail });
  }
  if (alertEmails.length > MAX_ALERT_EMAILS || !alertEmails.every(isEmail)) {
    const detail = `Alerts go to at most ${MAX_ALERT_EMAILS} plain addresses such as shop@example.com.`;
    errors.push({ pointer: '/alertEmails', code: 'invalid', detail });
  }
  return errors;
}

function flawsOfNumbers(settings: MerchantSettings<TypedNumber>): FieldError[] {
  return namesOf(LIMITS).flatMap((field) => {
    const value = settings[field];
    const [max, detail] = LIMITS[field];
    const isRight = value === undefined || isCount(value, max);
    return isRight ? [] : [{ pointer: `/${field}`, code: 'out_of_range', detail }];
  });
}

function isCount(value: TypedNumber, max: number): boolean {
  return value !== 'unreadable' && Number.isInteger(value) && value >= 0 && value <= max;
}

function isText(text: string, maxLength: number): boolean {
  return (
    text.trim() !== '' && characterCount(text) <= maxLength && text.isWellFormed() && !text.includes('\0')
  );
}

/** What a buyer's phone can open with one touch, and nothing that could be another kind of link. */
function isContact(text: string): boolean {
  if (characterCount(text) > MAX_CONTACT_LENGTH) return false;
  if (isEmail(text)) return true;
  const url = /^https:\/\/[\x21-\x7e]+$/i.test(text) ? parseUrl(text) : null;
  return url !== null && url.username === '' && url.password === '';
}
