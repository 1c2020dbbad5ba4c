import { InconsistentNode } from '../../../node.errors.js';
import type { NodeHttp } from '../../../watching/node-http.js';

/** A `Response` refuses to have one with these. */
const WITHOUT_BODY: ReadonlySet<number> = new Set([204, 205, 304]);
/** Of what an answer may hold besides, such as objects of a chain's own. */
const MOST_OTHERS = 100_000;
const ID = /"id"\s*:\s*"?(\d+)/g;

/**
 * viem's way to a node, by which its batches are answered entry by entry or not at all. viem puts the answers in the
 * order of their ids and takes them by place: where one came twice or was left out, it would stand for the answer to
 * another question, such as the newest block for the finalized one.
 */
export function fetchOwnAnswers(http: NodeHttp): typeof fetch {
  return async (input, init) => {
    const question = typeof init?.body === 'string' ? init.body : '';
    const { status, contentType, body } = await http.post({
      url: input instanceof Request ? input.url : String(input),
      headers: Object.fromEntries(new Headers(init?.headers)),
      body: question,
      signal: init?.signal,
    });
    if (question.startsWith('[') && status >= 200 && status < 300) {
      const text = body.toString();
      // Whatever is no list is told from an answer by viem.
      if (text.trimStart().startsWith('[')) mustAnswerEach(idsIn(question), text);
    }
    return new Response(WITHOUT_BODY.has(status) ? null : body, {
      status: responseStatus(status),
      headers: { 'content-type': contentType },
    });
  };
}

/**
 * Read from the text, because parsing twenty full blocks twice would cost more than the scan. That ends at the first id that
 * comes twice, and after more others than answers to so many questions have.
 */
export function mustAnswerEach(asked: readonly string[], text: string): void {
  const wanted = new Set(asked);
  const missing = new Set(asked);
  let others = 0;
  for (const [, id = ''] of text.matchAll(ID)) {
    if (missing.delete(id)) continue;
    others += 1;
    if (wanted.has(id) || others > MOST_OTHERS) throw notEach();
  }
  if (missing.size > 0) throw notEach();
}

const notEach = () => new InconsistentNode('the node left out an entry of a batch, or answered one twice');

const idsIn = (text: string): string[] => [...text.matchAll(ID)].map(([, id = '']) => id);

/** @throws InconsistentNode for what no HTTP answer has, and what a `Response` refuses */
function responseStatus(status: number): number {
  if (status > 599) throw new InconsistentNode(`the node answered with HTTP status ${status}`);
  return status;
}
