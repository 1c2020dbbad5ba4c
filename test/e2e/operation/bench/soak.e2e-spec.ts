import { linesOf, QUICK, slopeOf, soak } from '../../../bench/soak.js';
import { Stage } from '../../../bench/stage.js';

// That `npm run soak` still tries what it says, in some seconds. Needs a build.
jest.setTimeout(1_200_000);

it('soaks: every payment is settled and every event told, and what is held in memory is said', async () => {
  const stage = new Stage(1, true);
  try {
    const soaked = await soak(stage, 0.3, QUICK);
    expect(soaked.payments).toBeGreaterThan(0);
    expect(soaked.deliveries).toBeGreaterThan(soaked.payments);
    expect(soaked.loadedMib).toHaveLength(QUICK.minutes);
    // Nothing stood still: whoever looked saw what to pay.
    expect([soaked.refusedBuyers, soaked.otherPages]).toEqual([0, 0]);
    expect(linesOf(soaked).map(([name]) => name)).toContain('slope under load, without the first quarter');
  } finally {
    await stage.clear();
  }
});

it('finds the slope of a line, and none in what goes up and down', () => {
  expect(slopeOf([1, 3, 5, 7])).toBe(2);
  expect(slopeOf([1, 2, 2, 1])).toBe(0);
  expect(slopeOf([4])).toBe(0);
});
