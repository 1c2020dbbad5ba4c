import { DomainError, type FieldError } from '../../../kernel/domain-error.js';
import { isEmail } from '../../../kernel/email.js';
import type { MerchantSettings } from '../merchants.types.js';

const MAX_NAME_LENGTH = 100;
const MAX_CONTACT_LENGTH = 200;
const MAX_ALERT_EMAILS = 10;
/** Ten percent: a tolerance or spread beyond it is a slip of the hand. */
const MAX_BPS = 1_000;

const LIMITS = {
  toleranceBps: MAX_BPS,
  spreadBps: MAX_BPS,
  acceptShortBps: 10_000,
  acceptShortMinor: 99_999_999,
  acceptLateMinutes: 7 * 24 * 60,
  acceptLateMoveBps: 10_000,
} as const;

/** @throws DomainError `validation-error` naming every setting that is out of its range */
export function checkSettings(settings: MerchantSettings): void {
  const errors: FieldError[] = [];
  const { name, supportContact, alertEmails = [] } = settings;
  if (name !== undefined && !isText(name, MAX_NAME_LENGTH)) {
    errors.push({
      pointer: '/name',
      code: 'wrong_length',
      detail: `name has 1 to ${MAX_NAME_LENGTH} characters.`,
    });
  }
  if (supportContact != null && !isText(supportContact, MAX_CONTACT_LENGTH)) {
    errors.push({
      pointer: '/supportContact',
      code: 'wrong_length',
      detail: `supportContact has 1 to ${MAX_CONTACT_LENGTH} characters.`,
    });
  }
  if (alertEmails.length > MAX_ALERT_EMAILS || !alertEmails.every(isEmail)) {
    const detail = `alertEmails are at most ${MAX_ALERT_EMAILS} plain addresses such as shop@example.com.`;
    errors.push({ pointer: '/alertEmails', code: 'invalid', detail });
  }
  for (const [field, max] of Object.entries(LIMITS) as [keyof typeof LIMITS, number][]) {
    const value = settings[field];
    if (value !== undefined && !(Number.isInteger(value) && value >= 0 && value <= max)) {
      const detail = `${field} is a whole number from 0 to ${max}.`;
      errors.push({ pointer: `/${field}`, code: 'out_of_range', detail });
    }
  }
  if (errors.length > 0) {
    throw new DomainError('invalid', 'validation-error', errors.map((e) => e.detail).join(' '), { errors });
  }
}

function isText(text: string, maxLength: number): boolean {
  return text.trim() !== '' && text.length <= maxLength && text.isWellFormed() && !text.includes('\0');
}
