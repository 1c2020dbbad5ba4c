import { toldSettings } from './told-settings.js';

const names = (id: string) => (id === 'ethereum' ? 'Ethereum' : id);
const told = (path: string, before: unknown, after: unknown) =>
  (['en', 'de'] as const).flatMap((language) => toldSettings({ [path]: [before, after] }, language, names));

describe('a network’s terms are told with the asset and the network that they are of', () => {
  const TERMS = 'networkTerms.ethereum';

  it.each([
    [
      'the smallest payment, as money',
      `${TERMS}.assets.USDC.minimumMinor`,
      [990, 123_450],
      'Smallest payment in USDC on Ethereum: 9.90 → 1’234.50',
      'Kleinste Zahlung in USDC auf Ethereum: 9.90 → 1’234.50',
    ],
    [
      'the smallest payment where none was named, as nothing',
      `${TERMS}.assets.USDC.minimumMinor`,
      [null, 990],
      'Smallest payment in USDC on Ethereum: 0.00 → 9.90',
      'Kleinste Zahlung in USDC auf Ethereum: 0.00 → 9.90',
    ],
    [
      'whether an asset is accepted, which it is where nothing was named',
      `${TERMS}.assets.USDC.e.accepted`,
      [null, false],
      'USDC.e on Ethereum accepted: yes → no',
      'USDC.e auf Ethereum angenommen: ja → nein',
    ],
    [
      'confirmations',
      `${TERMS}.confirmationDepth`,
      [null, 3],
      'Confirmations on Ethereum: the default → 3',
      'Bestätigungen auf Ethereum: Standard → 3',
    ],
  ])('%s', (_what, path, [before, after], english, german) => {
    expect(told(path, before, after)).toEqual([english, german]);
  });

  it('and nothing where what counts stays as it was', () => {
    expect(told(`${TERMS}.assets.USDC.minimumMinor`, null, 0)).toEqual([]);
    expect(told(`${TERMS}.assets.USDC.accepted`, null, true)).toEqual([]);
  });
});

it.each([
  ['toleranceBps', [0, 150], 'Tolerance: 0 % → 1.5 %', 'Toleranz: 0 % → 1.5 %'],
  ['acceptLateMinutes', [0, 60], /in minutes: 0 → 60$/, /in Minuten: 0 → 60$/],
  ['acceptSeenLate', [false, true], /: no → yes$/, /: nein → ja$/],
  [
    'alertEmails',
    [['a@shop.example', 'b@shop.example'], []],
    'Alerts go to: a@shop.example, b@shop.example → nobody',
    'Warnungen gehen an: a@shop.example, b@shop.example → niemand',
  ],
])('%s is told in both languages before and after', (path, [before, after], english, german) => {
  expect(told(path, before, after)).toEqual([expect.stringMatching(english), expect.stringMatching(german)]);
});

it('what somebody wrote acts in no letter, and what has no words of its own stands as the log has it', () => {
  expect(told('alertEmails', [], ['a\u202eb@shop.example'])[0]).toBe(
    'Alerts go to: nobody → a\ufffdb@shop.example',
  );
  expect(told('networkTerms.x\u202ey.assets.A\u202eB.accepted', true, false)[0]).toBe(
    'A\ufffdB on x\ufffdy accepted: yes → no',
  );
  expect(told('networkTerms.ethereum.confirmationDepth', 1, { tag: 'safe' })[0]).toBe(
    'Confirmations on Ethereum: 1 → {"tag":"safe"}',
  );
});

it('how a merchant looks is not told, nor what is no change', () => {
  expect(told('name', 'Shop', 'The Shop')).toEqual([]);
  expect(toldSettings({ toleranceBps: 5 }, 'en', names)).toEqual([]);
  expect(toldSettings(undefined, 'en', names)).toEqual([]);
});
