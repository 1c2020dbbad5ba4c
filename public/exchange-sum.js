/** What to type at an exchange: the amount that must arrive and the exchange's fee, exactly. */
export function exchangeSum({ target }) {
  if (target.id !== 'exchange-fee') return;
  const sum = document.getElementById('exchange-sum');
  const { message, unread } = sum.dataset;
  const total = withFee(target.dataset.due, target.value);
  const isWrong = total === null && target.value.trim() !== '';
  if (isWrong) target.setAttribute('aria-invalid', 'true');
  else target.removeAttribute('aria-invalid');
  if (target.value.trim() === '') sum.textContent = '';
  else sum.textContent = total === null ? unread : message.replace('{}', total);
}

/** A part of the amount is rounded up to as many decimals as the amount has, and to no fewer than these. */
const LEAST_DECIMALS = 6n;
const ATOMS = 10n ** 18n;

/**
 * @param fee as people write it: "1.5", "0,5", ".5", "1'000", "1 %"; a point or a comma begins the decimals
 * @returns a decimal; `null` where it is none
 */
function withFee(due, fee) {
  const [, typed, percent] = /^(.*?)(%?)$/.exec(fee.replace(/[\s'’_]/g, ''));
  if (!/^(\d{1,12}([.,]\d{0,18})?|[.,]\d{1,18})$/.test(typed)) return null;
  const [dueAtoms, feeAtoms] = [atoms(due), atoms(typed.replace(',', '.'))];
  if (!percent) return text(dueAtoms + feeAtoms);
  // Of what is withdrawn, so that what arrives is enough whichever way the exchange counts.
  const left = 100n * ATOMS - feeAtoms;
  if (left <= 0n) return null;
  const decimals = BigInt(due.split('.')[1]?.length ?? 0);
  const step = 10n ** (18n - (decimals > LEAST_DECIMALS ? decimals : LEAST_DECIMALS));
  const exact = up(dueAtoms * 100n * ATOMS, left);
  return text(up(exact, step) * step);
}

const up = (a, b) => (a + b - 1n) / b;

/** Decimals of at most 18 places. */
function atoms(decimal) {
  const [whole, fraction = ''] = decimal.split('.');
  return BigInt((whole || '0') + fraction.padEnd(18, '0'));
}

function text(all) {
  const digits = String(all).padStart(19, '0');
  return `${digits.slice(0, -18)}.${digits.slice(-18)}`.replace(/\.?0+$/, '');
}
