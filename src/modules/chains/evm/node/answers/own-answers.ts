import { fieldsOf } from '../../../../../kernel/error-fields.js';
import { InconsistentNode } from '../../../node.errors.js';
import { MOST_ERROR_CHARS, nodeJson } from '../../../watching/node-answer.js';
import type { NodeHttp } from '../../../watching/node-http.js';
import { putAside } from './aside.js';

/** Of what is no JSON, such as a page: enough to see what it is. */
const MOST_OTHER_BYTES = 64 * 1024;
/** A response refuses to have a body with these. */
const WITHOUT_BODY: ReadonlySet<number> = new Set([204, 205, 304]);

/**
 * viem's way to a node, by which its batches are answered entry by entry or not at all: viem puts the answers in the
 * order of their ids and takes them by place, and where one came twice or was left out, it would stand for the answer to
 * another question, such as the newest block for the finalized one. What viem gets to parse is short: the results are put
 * aside (`aside.ts`).
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
    const answer = await readAnswer(body);
    const text =
      answer === undefined
        ? body.toString('utf8', 0, MOST_OTHER_BYTES)
        : JSON.stringify(inShort(answer, question, status));
    return new Response(WITHOUT_BODY.has(status) ? null : text, {
      status: responseStatus(status),
      headers: { 'content-type': contentType },
    });
  };
}

/** @throws InconsistentNode unless each question is answered once, by whichever entry has its id */
export function mustAnswerEach(questions: readonly unknown[], answers: readonly unknown[]): void {
  const missing = new Set(questions.map(idOf));
  if (answers.length !== questions.length || !answers.every((answer) => missing.delete(idOf(answer))))
    throw new InconsistentNode('the node left out an entry of a batch, or answered one twice');
}

/** Some nodes answer with the id as a text. A list, which may be as long as an answer, is none. */
const idOf = (entry: unknown): string => String(plain(fieldsOf(entry).id));

/** `undefined` for what is no JSON. */
async function readAnswer(body: Buffer): Promise<unknown> {
  try {
    return await nodeJson(body);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/**
 * What viem goes through of an answer: of one whose status refuses the error alone, and no more entries than it asked for.
 * A result is put aside only where viem hands it on: it may be as much as an answer, and nobody would take it back.
 */
function inShort(answer: unknown, question: string, status: number): unknown {
  const isBatch = question.startsWith('[');
  const isRead = status >= 200 && status < 300 && !WITHOUT_BODY.has(status);
  if (isRead && isBatch && Array.isArray(answer)) {
    mustAnswerEach(JSON.parse(question) as unknown[], answer);
    return answer.map(withoutResult);
  }
  // Whatever is no list is told from an answer to a batch by viem; a list in answer to one question has no result.
  return isRead && !isBatch ? withoutResult(answer) : { error: inBrief(fieldsOf(answer).error) };
}

function withoutResult(entry: unknown) {
  const { id, result, error } = fieldsOf(entry);
  const refusal = inBrief(error);
  if (refusal) return { id: plain(id), error: refusal };
  return { id: plain(id), result: isNothing(result) ? result : putAside(result) };
}

function inBrief(error: unknown): unknown {
  const { code, message, data } = fieldsOf(error);
  const isObject = typeof error === 'object' && error !== null;
  return isObject ? { code: plain(code), message: plain(message), data: plain(data) } : plain(error);
}

/** What is neither a list nor an object, cut to what anybody reads. */
function plain(value: unknown): unknown {
  if (typeof value === 'string') return value.slice(0, MOST_ERROR_CHARS);
  return typeof value === 'object' && value !== null ? undefined : value;
}

const isNothing = (value: unknown): boolean => value === undefined || value === null;

/** @throws InconsistentNode for what no HTTP answer has, and what a `Response` refuses */
function responseStatus(status: number): number {
  if (status > 599) throw new InconsistentNode(`the node answered with HTTP status ${status}`);
  return status;
}
