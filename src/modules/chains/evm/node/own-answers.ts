import { InconsistentNode } from '../../node.errors.js';
import type { NodeHttp } from '../../watching/node-http.js';

/** A `Response` refuses to have one with these. */
const WITHOUT_BODY: ReadonlySet<number> = new Set([204, 205, 304]);
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

/** Read from the text, because parsing twenty full blocks twice would cost more than the scan. */
export function mustAnswerEach(asked: readonly string[], text: string): void {
  const times = new Map<string, number>();
  for (const id of idsIn(text)) times.set(id, (times.get(id) ?? 0) + 1);
  if (asked.every((id) => times.get(id) === 1)) return;
  throw new InconsistentNode('the node left out an entry of a batch, or answered one twice');
}

function idsIn(text: string): string[] {
  return [...text.matchAll(ID)].map(([, id]) => id!);
}

/** @throws InconsistentNode for what no HTTP answer has, and what a `Response` refuses */
function responseStatus(status: number): number {
  if (status > 599) throw new InconsistentNode(`the node answered with HTTP status ${status}`);
  return status;
}
