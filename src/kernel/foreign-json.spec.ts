import { z } from 'zod';
import { longestLookedThrough } from '../../test/support/run/looked-through.js';
import { judgeForeign, listOfAll, textLike } from './foreign-json.js';

const block = z.object({
  height: z.int().min(0).max(1_000),
  hash: textLike(/^[0-9a-f]{4}$/, 'must be a hash'),
  chain: z.enum(['main', 'test']),
  tags: z.array(z.string()).optional(),
});
const good = { height: 7, hash: '00ff', chain: 'main' };
const problemsOf = (value: unknown, schema: z.ZodType = block) => {
  const judged = judgeForeign(schema, value);
  return 'problems' in judged ? judged.problems : [];
};

it('what is as its schema says comes out typed, without what the schema does not name', () => {
  expect(judgeForeign(block, { ...good, secret: 'x' })).toEqual({ value: good });
  expect(judgeForeign(block, good)).toEqual({ value: good });
});

describe('what is wrong with it', () => {
  it('is told all at once', () => {
    expect(problemsOf({ height: -1, hash: 'zz', chain: 'main' })).toEqual([
      'height must be at least 0',
      'hash must be a hash',
    ]);
  });

  it.each<[unknown, string]>([
    [null, 'must be an object'],
    [{ ...good, height: undefined }, 'height is missing'],
    [{ ...good, height: '7' }, 'height must be a number'],
    [{ ...good, height: 1.5 }, 'height must be a whole number'],
    [{ ...good, height: 1_001 }, 'height must be at most 1000'],
    [{ ...good, chain: 'other' }, 'chain must be main or test'],
    [{ ...good, hash: 7 }, 'hash must be a hash'],
    [{ ...good, tags: 'a' }, 'tags must be a list'],
    [{ ...good, tags: ['a', 2] }, 'tags[1] must be a text'],
  ])('%j: %s', (value, problem) => {
    expect(problemsOf(value)).toEqual([problem]);
  });

  it('is told in general where there are no words for it', () => {
    expect(problemsOf('x', z.string().regex(/y/))).toEqual(['is not as it should be']);
    expect(problemsOf(1, z.bigint())).toEqual(['must be bigint']);
  });

  it('is told by its path, of which a foreign name is cut and made visible', () => {
    const nested = z.object({ a: z.object({ b: z.array(z.record(z.string(), z.string())) }) });
    expect(problemsOf({ a: { b: [{}, { c: 1 }] } }, nested)).toEqual(['a.b[1].c must be a text']);
    expect(problemsOf({ [`\u202e${'x'.repeat(50)}`]: 1 }, z.record(z.string(), z.string()))).toEqual([
      `?${'x'.repeat(39)} must be a text`,
    ]);
  });

  it('is told of a name of megabytes without looking through it', () => {
    const named = { ['é'.repeat(4_000_000)]: 1 };
    const looked = longestLookedThrough(() => problemsOf(named, z.record(z.string(), z.string())));
    expect(looked).toBeLessThan(100);
  });

  it('never repeats what stands there', () => {
    const wrong = { height: 'hunter2', hash: 'hunter2', chain: 'hunter2', tags: 'hunter2' };
    expect(problemsOf(wrong).join()).not.toContain('hunter2');
  });

  it('may be its depth', () => {
    interface Nest {
      readonly inner?: Nest | undefined;
    }
    const nest: z.ZodType<Nest> = z.lazy(() => z.object({ inner: nest.optional() }));
    let value: Nest = {};
    for (let depth = 0; depth < 50_000; depth += 1) value = { inner: value };
    expect(problemsOf(value, nest)).toEqual(['is nested too deeply']);
  });

  it('is not what went wrong in a schema of ours', () => {
    const broken = z.string().transform(() => {
      throw new TypeError('a bug');
    });
    expect(() => judgeForeign(broken, 'x')).toThrow('a bug');
  });
});

it('a list of plain values is whole, or it is none', () => {
  const isHash = (entry: unknown): entry is string => typeof entry === 'string' && entry.length === 4;
  const list = listOfAll(isHash, 'must be a list of hashes');
  expect(judgeForeign(list, ['00ff', 'ff00'])).toEqual({ value: ['00ff', 'ff00'] });
  for (const wrong of [['00ff', 1], 'text', null])
    expect(problemsOf(wrong, list)).toEqual(['must be a list of hashes']);
});

it('a text that matches is one', () => {
  const digits = textLike(/^\d+$/, 'must be digits');
  expect(judgeForeign(digits, '12')).toEqual({ value: '12' });
  for (const wrong of ['x', 12, null]) expect(problemsOf(wrong, digits)).toEqual(['must be digits']);
});
