import { z } from 'zod';
import { textLike } from '../../kernel/foreign-json.js';
import { listOf, readForeign } from './read-foreign.js';

const block = z.object({ height: z.int().min(0), hash: textLike(/^[0-9a-f]{4}$/, 'must be a hash') });
const refuse = (problems: string) => new RangeError(problems);

it('what is as its schema says comes out typed, without what the schema does not name', async () => {
  const good = { height: 7, hash: '00ff' };
  expect(await readForeign(block, { ...good, secret: 'x' }, refuse)).toEqual(good);
});

describe('what is wrong with it', () => {
  it('is told in the caller’s kind of error, all of it at once', async () => {
    const wrong = { height: -1, hash: 'zz' };
    await expect(readForeign(block, wrong, refuse)).rejects.toThrow(
      new RangeError('height must be at least 0; hash must be a hash'),
    );
  });

  it('is told ten times, and that there is more', async () => {
    const reading = (count: number) => readForeign(z.array(z.string()), Array(count).fill(1), refuse);
    await expect(reading(10)).rejects.toThrow(/^\[0\] must be a text; .*\[9\] must be a text$/);
    await expect(reading(11)).rejects.toThrow(/\[9\] must be a text; and more$/);
  });

  it('is told in four hundred characters, however long its names are', async () => {
    const record = z.record(z.string(), z.string());
    const names = Array.from({ length: 9 }, (_, i) => [`${i}${'x'.repeat(60)}`, 1]);
    const said = await readForeign(record, Object.fromEntries(names), refuse).catch(String);
    expect(said).toHaveLength('RangeError: '.length + 400);
  });

  it('may be its depth, and is not what went wrong in a schema of ours', async () => {
    interface Nest {
      readonly inner?: Nest | undefined;
    }
    const nest: z.ZodType<Nest> = z.lazy(() => z.object({ inner: nest.optional() }));
    let value: Nest = {};
    for (let depth = 0; depth < 50_000; depth += 1) value = { inner: value };
    await expect(readForeign(nest, value, refuse)).rejects.toThrow(new RangeError('is nested too deeply'));
    const broken = z.string().transform(() => {
      throw new TypeError('a bug');
    });
    await expect(readForeign(broken, 'x', refuse)).rejects.toThrow('a bug');
  });
});

describe('a list of foreign things', () => {
  const entry = z.object({ id: z.int() });
  const list = listOf(entry);

  it('is read entry by entry', async () => {
    expect(await readForeign(list, [{ id: 1 }, { id: 2 }], refuse)).toEqual([{ id: 1 }, { id: 2 }]);
    expect(await readForeign(list, [], refuse)).toEqual([]);
    const long = Array.from({ length: 1_000 }, (_, id) => ({ id }));
    expect(await readForeign(list, long, refuse)).toEqual(long);
  });

  it('says which entry is wrong, and where', async () => {
    const rows = z.object({ rows: list });
    await expect(readForeign(rows, { rows: [{ id: 1 }, { id: 'x' }, {}] }, refuse)).rejects.toThrow(
      new RangeError('rows[1].id must be a number; rows[2].id is missing'),
    );
    await expect(readForeign(list, 'x', refuse)).rejects.toThrow(new RangeError('must be a list'));
  });

  it('is none where it is too long, of which nothing is read', async () => {
    const read = jest.fn(() => true);
    const short = listOf(z.unknown().refine(read), { most: 3 });
    await expect(readForeign(short, [1, 2, 3, 4], refuse)).rejects.toThrow(
      new RangeError('has more than 3 entries'),
    );
    expect(read).not.toHaveBeenCalled();
    expect(await readForeign(short, [1, 2, 3], refuse)).toEqual([1, 2, 3]);
  });

  it('may have such lists in it', async () => {
    const rows = listOf(z.object({ list }), { hasLists: true });
    const good = [{ list: [{ id: 1 }] }, { list: [] }];
    expect(await readForeign(rows, good, refuse)).toEqual(good);
    await expect(readForeign(rows, [...good, { list: [{ id: 'x' }] }, {}], refuse)).rejects.toThrow(
      new RangeError('[2].list[0].id must be a number; [3].list is missing'),
    );
  });

  it.each([false, true])(
    'is read no further once ten of it are wrong, lists in it or not: %s',
    async (hasLists) => {
      let read = 0;
      const counting = listOf(
        z.unknown().refine(() => (read += 1) < 0),
        { hasLists },
      );
      await expect(readForeign(counting, Array(1_000).fill(0), refuse)).rejects.toThrow(
        /^\[0\].*\[9\] [^;]*$/,
      );
      expect(read).toBe(10);
    },
  );
});
