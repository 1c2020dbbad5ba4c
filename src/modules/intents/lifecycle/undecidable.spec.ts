import { Logger } from '@nestjs/common';
import { Undecidable } from './undecidable.js';

const failing = (code: string | null) => () =>
  Promise.reject(Object.assign(new Error('it fails'), code === null ? {} : { code }));

function undecidable() {
  const told: string[] = [];
  const alerts = {
    raise: () => Promise.resolve(void told.push('raised')),
    resolve: () => Promise.resolve(void told.push('resolved')),
  };
  const of = [{ manager: {} }, alerts] as never[];
  return { told, intents: new Undecidable(...(of as unknown as ConstructorParameters<typeof Undecidable>)) };
}

beforeEach(() => jest.spyOn(Logger.prototype, 'error').mockImplementation());
afterEach(() => jest.restoreAllMocks());

it('what fails by itself is known at once, to jobs and to readers', async () => {
  for (const way of ['try', 'tryToRead'] as const) {
    const { intents } = undecidable();
    expect(await intents[way]('pi_1', failing(null))).toBe(false);
    expect([intents.has('pi_1'), intents.has('pi_2')]).toEqual([true, false]);
    expect(await intents[way]('pi_1', () => Promise.resolve())).toBe(true);
    expect(intents.has('pi_1')).toBe(false);
  }
});

it.each(['55P03', '57014', '40P01', 'ECONNREFUSED', '57P01'])(
  'what the database gives up (%s) is thrown to readers, and known when it lasts',
  async (code) => {
    const { intents, told } = undecidable();
    await expect(intents.tryToRead('pi_1', failing(code))).rejects.toMatchObject({ code });
    for (const known of [false, false, true]) {
      expect(await intents.try('pi_1', failing(code))).toBe(false);
      expect(intents.has('pi_1')).toBe(known);
    }
    expect(told).toEqual(['raised']);
    await expect(intents.tryToRead('pi_1', failing(code))).rejects.toMatchObject({ code });
    expect(await intents.tryToRead('pi_1', () => Promise.resolve())).toBe(true);
    expect([intents.has('pi_1'), told]).toEqual([false, ['raised', 'resolved']]);
  },
);
