import { hashPassword, isPassword } from './password-hashing.js';

const PASSWORD = 'a plain sentence for tests';
const MARIA = 'maria@shop.example';
const JAN = 'jan@shop.example';
const refused = { kind: 'unavailable', details: { headers: { 'Retry-After': '5' } } };

let stored: string;
beforeAll(async () => {
  stored = await hashPassword(PASSWORD, MARIA);
});

const guess = (account: string | null) => isPassword('a guess', stored, account);
/** So many at the same moment, of which two are looked at and the others wait. */
const waiting = (times: number, account: string | null) =>
  Array.from({ length: times + 2 }, () => guess(account));

it('is the person’s own password, however its letters were typed, and nobody else’s', async () => {
  expect(await isPassword(PASSWORD, stored, MARIA)).toBe(true);
  expect(await isPassword(PASSWORD.normalize('NFD'), stored, null)).toBe(true);
  expect(await guess(null)).toBe(false);
  expect(await isPassword(PASSWORD, null, null)).toBe(false);
  expect(await isPassword('x'.repeat(513), stored, null)).toBe(false);
});

it('is looked at for whoever is known while strangers fill all of their places, and before them', async () => {
  let done = 0;
  const strangers = waiting(100, null).map(async (one) => {
    await one;
    done += 1;
  });
  await expect(guess(null)).rejects.toMatchObject(refused);
  expect(await isPassword(PASSWORD, stored, MARIA)).toBe(true);
  expect(await hashPassword(PASSWORD, JAN)).toMatch(/^\$argon2id\$/);
  expect(done).toBeLessThan(50);
  await Promise.all(strangers);
});

it('is looked at for an account while another has filled its places', async () => {
  const jans = waiting(4, JAN);
  await expect(guess(JAN)).rejects.toMatchObject(refused);
  await expect(hashPassword(PASSWORD, JAN)).rejects.toMatchObject(refused);
  expect(await isPassword(PASSWORD, stored, MARIA)).toBe(true);
  expect(await Promise.all(jans)).toEqual(Array.from({ length: 6 }, () => false));
});

it('is looked at for a stranger while accounts ask all the time', async () => {
  let isOver = false;
  const asking = [MARIA, JAN].flatMap((account) =>
    Array.from({ length: 3 }, async () => {
      while (!isOver) await guess(account);
    }),
  );
  expect(await guess(null)).toBe(false);
  isOver = true;
  await Promise.all(asking);
});
