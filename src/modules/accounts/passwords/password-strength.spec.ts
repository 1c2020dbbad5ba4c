import threads from 'node:worker_threads';
import { areGuessable, isGuessable } from './password-strength.js';

const MARIA = 'maria.muster@muster-kaffee.example';
const ABOUT = [MARIA, 'Muster Kaffee'];

/** Of the leaks, as far as they have twelve characters, and as people make them when twelve are asked for. */
const COMMON = [
  '123456789012',
  '1q2w3e4r5t6y',
  '1qaz2wsx3edc',
  '123qweasdzxc',
  'qazwsxedcrfv',
  'q1w2e3r4t5y6',
  'zaq12wsxcde3',
  'qwertyuiop12',
  'qwertyuiop[]',
  'QWERTZUIOP!!',
  'qwertzuiop123',
  'asdfghjkl123',
  'azertyuiop12',
  '112233445566',
  '123123123123',
  '987654321098',
  'aaaaaaaaaaaa',
  'abababababab',
  'abcd12345678',
  'abcdefghijkl',
  'qwerty123456',
  'password1234',
  'Password1234!',
  'P@ssw0rd2026',
  'passwordpassword',
  'passwort1234',
  'Passwort2026',
  'iloveyou1234',
  'letmeinplease',
  'welcome12345',
  'Willkommen1!',
  'administrator',
  'admin1234567',
  'changeme1234',
  'football1234',
  'footballbaseball',
  'liverpool1234',
  'manchesterunited',
  'sunshine2024!',
  'princess1234',
  'unbelievable',
  'counterstrike',
  'finalfantasy',
  'Sommer2026!!',
  'Winter2025!!',
  'Schmetterling1',
  'Kartoffelsalat',
  'geheimnis2026',
  'hockeyhockey',
  'trustno1trustno1',
  'correcthorsebatterystaple',
  'Rappen2026!!',
  'MusterKaffee',
  'musterkaffee1',
  'maria.muster1',
  'MariaMuster2026',
];

const guessed = async (passwords: readonly string[]) => {
  const verdicts = await areGuessable(passwords, ABOUT);
  return passwords.filter((_, i) => verdicts[i]);
};

it('knows every one of the long passwords that are tried first', async () => {
  expect(COMMON.length).toBeGreaterThan(50);
  expect(await guessed(COMMON)).toEqual(COMMON);
});

it('lets pass what nobody tries soon, whatever it is composed of', async () => {
  const good = [
    'a plain sentence for tests',
    'xK9#mQ2$vL7@',
    'vier schöne Kühe im Wald',
    '漢字とかなの長い合い言葉です',
    'another good sentence',
    'cryptic-otter-ledger-92',
    'Zürich-2026-Laden',
    '4@83(6#!1|0$57+2'.repeat(8),
  ];
  expect(await guessed(good)).toEqual([]);
});

it('loads its dictionaries once for passwords that come soon after each other', async () => {
  await isGuessable('a plain sentence for tests', MARIA, ABOUT);
  const ended = jest.spyOn(threads.Worker.prototype, 'terminate');
  const started = jest.spyOn(threads, 'Worker');
  expect(await isGuessable('Schmetterling1', MARIA, ABOUT)).toBe(true);
  expect(await isGuessable('a plain sentence for tests', MARIA, [])).toBe(false);
  expect(started).not.toHaveBeenCalled();
  started.mockRestore();
  // Nor was it the time limit that ended one: its timer would have been reached.
  expect(ended).not.toHaveBeenCalled();
  ended.mockRestore();
});

it('judges on another thread: however long it takes, this one goes on', async () => {
  let turns = 0;
  const turn = (): void => {
    turns += 1;
    next = setImmediate(turn);
  };
  let next = setImmediate(turn);
  expect(await isGuessable('4@83(6#!1|0$57+2'.repeat(8), MARIA, ABOUT)).toBe(false);
  clearImmediate(next);
  // Judged on this thread it would be two or three: it takes hundreds of milliseconds, and yields nowhere.
  expect(turns).toBeGreaterThan(100);
});

it('is judged for an account while another has filled its places', async () => {
  const judged: string[] = [];
  const judge = async (account: string) => {
    expect(await isGuessable('Schmetterling1', account, [])).toBe(true);
    judged.push(account);
  };
  // One is judged, and as many wait as may.
  const jans = Array.from({ length: 3 }, () => judge('jan@shop.example'));
  await expect(isGuessable('Schmetterling1', 'jan@shop.example', [])).rejects.toMatchObject({
    kind: 'unavailable',
    details: { headers: { 'Retry-After': '5' } },
  });
  await Promise.all([...jans, judge('ann@shop.example'), judge('eva@shop.example')]);
  expect(judged.map((account) => account.slice(0, 3)).join(' ')).toBe('jan jan ann eva jan');
});
