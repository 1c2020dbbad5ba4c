import { AdaptiveRange } from './adaptive-range.js';

describe('AdaptiveRange', () => {
  it('doubles until the first refusal, then creeps up', () => {
    const range = new AdaptiveRange();
    range.accepted(range.blocks);
    expect(range.blocks).toBe(16);
    range.tooLarge(16);
    expect(range.blocks).toBe(8);
    range.accepted(8);
    expect(range.blocks).toBe(9);
  });

  it('never asks for less than a block, and learns nothing from a smaller question', () => {
    const range = new AdaptiveRange();
    range.accepted(3);
    expect(range.blocks).toBe(8);
    for (let i = 0; i < 10; i++) range.tooLarge(range.blocks);
    expect(range.blocks).toBe(1);
  });
});
