import { MOST_ERROR_CHARS } from '../../../watching/node-answer.js';
import { NodeHttp } from '../../../watching/node-http.js';
import { countAside, takeBack } from './aside.js';
import { fetchOwnAnswers, mustAnswerEach } from './own-answers.js';

const answers = (...ids: number[]): unknown[] => ids.map((id) => ({ jsonrpc: '2.0', id, result: {} }));
const asked = (...ids: number[]) => ids.map((id) => ({ jsonrpc: '2.0', id, method: 'eth_chainId' }));

describe('a batch', () => {
  it('is answered when each of its entries is, in whatever order', () => {
    expect(() => mustAnswerEach(asked(1, 2, 3), answers(3, 1, 2))).not.toThrow();
  });

  it.each([
    ['twice', answers(1, 1, 2, 3)],
    ['not at all', answers(1, 3)],
    ['under the id of another', answers(1, 3, 3)],
  ])('is not answered when an entry is answered %s', (_, told) => {
    expect(() => mustAnswerEach(asked(1, 2, 3), told)).toThrow('left out an entry of a batch');
  });

  it.each([
    ['twice', answers(1, 1, 2, 3)],
    ['for nothing that was asked', [...answers(1, 2, 3), { id: null, error: { code: 1, message: 'x' } }]],
    ['by nothing', [null, 7, 'x']],
    ['under ids that are lists', [{ id: [3] }, { id: [2] }, { id: [1] }]],
  ])('is not answered when something is answered %s', (_, told) => {
    expect(() => mustAnswerEach(asked(1, 2, 3), told)).toThrow('left out an entry of a batch');
  });

  it('is answered by ids that are texts', () => {
    expect(() => mustAnswerEach(asked(1, 2), [{ id: '2' }, { id: '1' }])).not.toThrow();
  });
});

describe('of an answer', () => {
  const SINGLE = JSON.stringify(asked(1)[0]);
  const BATCH = JSON.stringify(asked(1, 2));
  const TOKEN = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

  /** @returns what viem gets to parse, or why it gets nothing; and the results that were put aside */
  async function toldOf(question: string, status: number, answer: string) {
    const body = Buffer.from(answer);
    jest
      .spyOn(NodeHttp.prototype, 'post')
      .mockResolvedValue({ status, contentType: 'application/json', body });
    const before = countAside();
    const ask = fetchOwnAnswers(new NodeHttp({ timeoutMs: 1_000 }));
    const text = await ask('http://127.0.0.1:1', { body: question }).then((told) => told.text(), String);
    const keptAside = countAside() - before;
    return { text, keptAside, results: (text.match(TOKEN) ?? []).map(takeBack) };
  }

  afterEach(() => jest.restoreAllMocks());

  it('viem gets all but the results, which are put aside', async () => {
    const single = await toldOf(SINGLE, 200, '{"jsonrpc":"2.0","id":1,"result":{"a":[1]}}');
    expect(single.text.replace(TOKEN, '…')).toBe('{"id":1,"result":"…"}');
    expect(single.results).toEqual([{ a: [1] }]);
    const refusal = '{"id":1,"error":{"code":-32000,"message":"no","data":"0x1"}}';
    const batch = await toldOf(BATCH, 200, `[{"id":"2","result":7},${refusal}]`);
    expect(batch.text.replace(TOKEN, '…')).toBe(`[{"id":"2","result":"…"},${refusal}]`);
    expect(batch.results).toEqual([7]);
  });

  it.each([
    ['beside an error', SINGLE, 200, '{"id":1,"result":[1],"error":{"code":1,"message":"x"}}'],
    ['with a status that refuses', SINGLE, 500, '{"id":1,"result":[1]}'],
    ['with a status that has no body', SINGLE, 205, '{"id":1,"result":[1]}'],
    ['with a status that there is not', SINGLE, 600, '{"id":1,"result":[1]}'],
    ['of a batch, with a status that refuses', BATCH, 500, '[{"id":1,"result":1},{"id":2,"result":2}]'],
    ['by itself where a batch was asked', BATCH, 200, '{"id":1,"result":[1]}'],
    ['in a list where one was asked for', SINGLE, 200, '[{"id":1,"result":[1]}]'],
  ])('a result is not put aside that comes %s: nobody would take it back', async (_, ...exchange) => {
    expect(await toldOf(...exchange)).toMatchObject({ keptAside: 0, results: [] });
  });

  it.each([SINGLE, BATCH])('viem gets the error in answer to %s, whatever the status', async (question) => {
    const error = '"error":{"code":-32005,"message":"limit"}';
    expect((await toldOf(question, 429, `{"id":null,${error}}`)).text).toBe(`{${error}}`);
  });

  describe('that is a flood beside the result viem gets little', () => {
    const many = (one: string) => `${`${one},`.repeat(200_000)}${one}`;
    const withOk = (answer: string) => `[${answer},{"id":2,"result":"0x1"}]`;
    const entries = {
      'an id that is a list': `{"id":[${many('1')}],"result":"0x1"}`,
      'an id that is a long text': `{"id":"${'1'.repeat(1_000_000)}","result":"0x1"}`,
      'an error that is a list': `{"id":1,"error":[${many('{}')}],"result":"0x1"}`,
      'an error of lists': `{"id":1,"error":{"code":[${many('1')}],"message":[${many('1')}],"data":{"a":[${many('1')}]}}}`,
      'an error of long texts': `{"id":1,"error":{"code":1,"message":"${'x'.repeat(1_000_000)}","data":"${'x'.repeat(1_000_000)}"}}`,
      'a member that nobody asked for': `{"id":1,"more":[${many('{}')}],"result":"0x1"}`,
      'a long name': `{"id":1,"${'x'.repeat(1_000_000)}":1,"result":"0x1"}`,
      'many members': `{${Array.from({ length: 9_000 }, (_, i) => `"${i}":1`).join()},"id":1,"result":"0x1"}`,
    };
    const envelopes = {
      'entries that nobody asked for': `[${many('{"id":1,"result":1}')}]`,
      'entries that say nothing': `[${many('{}')}]`,
      'entries that are lists': `[${many('[]')}]`,
      'errors that nobody asked for': `[${many('{"id":1,"error":{"code":1,"message":"x"}}')}]`,
      ...entries,
      ...Object.fromEntries(
        Object.entries(entries).map(([how, entry]) => [`${how}, in a list`, withOk(entry)]),
      ),
    };
    const asked = [SINGLE, BATCH].flatMap((question) => [200, 500].map((status) => ({ question, status })));

    it.each(Object.entries(envelopes))('by %s', async (_, answer) => {
      for (const { question, status } of asked) {
        const { text, keptAside, results } = await toldOf(question, status, answer);
        expect(text.length).toBeLessThan(2 * MOST_ERROR_CHARS + 200);
        expect(results).toEqual(Array.from({ length: keptAside }, () => '0x1'));
        expect(keptAside).toBeLessThanOrEqual(2);
      }
    });
  });
});
