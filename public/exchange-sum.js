/** What to type at an exchange: the amount that must arrive and the exchange's fee, exactly. */
export function exchangeSum({ target }) {
  if (target.id !== 'exchange-fee') return;
  const sum = document.getElementById('exchange-sum');
  const fee = target.value.trim().replace(',', '.');
  const total = /^\d{1,12}(\.\d{1,18})?$/.test(fee) ? plus(target.dataset.due, fee) : null;
  sum.textContent = total === null ? '' : sum.dataset.words.replace('{}', total);
}

/** Decimals of at most 18 places. */
function plus(a, b) {
  const atoms = (text) => {
    const [whole, fraction = ''] = text.split('.');
    return BigInt(whole + fraction.padEnd(18, '0'));
  };
  const text = String(atoms(a) + atoms(b)).padStart(19, '0');
  return `${text.slice(0, -18)}.${text.slice(-18)}`.replace(/\.?0+$/, '');
}
