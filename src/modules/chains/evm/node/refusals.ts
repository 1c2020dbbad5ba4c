import { rpcError } from '../../watching/node-failure.js';

/**
 * What a node's error answer means. Only words and codes that cannot mean "not now" count as a definite answer: a limit
 * (-32005, 429), an internal error (-32603), a timeout and everything that is not listed here are `not-now`.
 */
export type NodeRefusal =
  /** This node has no such method, or not with these parameters. */
  | 'not-offered'
  /** It no longer keeps the state of that block, or its logs. */
  | 'pruned'
  | 'not-now';

export type TagRefusal =
  /** It does not know `safe` or `finalized`. */
  | 'unknown-tag'
  /** It knows the tag and holds no block for it. */
  | 'nothing-yet'
  | 'not-now';

const METHOD_NOT_FOUND = -32601;
const METHOD_NOT_SUPPORTED = -32004;
const INVALID_PARAMS = -32602;
/** A limit, and an internal error: they pass, whatever their words. */
const LIMITS = [-32005, 429];
const PASSING = [...LIMITS, -32603];
/** A node's own errors: the words decide. */
const SERVER_ERROR = -32000;

/** As geth, Nethermind (-32002), Erigon, Besu, Reth and OpenEthereum say it, and hosted nodes of all of them. */
const PRUNED =
  /missing trie node|prun(ed|ing)|historical state|state (is )?(not available|unavailable)|receipts? (is |are )?not available|archive|BlockOutOfRange|no state/i;
const NO_METHOD =
  /(method .*(not (found|available|supported|exist|enabled|allowed)|does not exist))|(un(known|supported) method)/i;
const NO_TAG =
  /(unknown|unsupported|invalid|not supported).*(tag|block (number|parameter|identifier|id))|hex string without 0x/i;
const NO_BLOCK = /(finalized|safe|unknown) block( is)?( not found)?|block not found/i;

/** What a node's refusal of a method, or of a block's state, means. */
export function refusalOf(error: unknown): NodeRefusal {
  const answer = rpcError(error);
  if (!answer) return 'not-now';
  const { code, message } = answer;
  if (!PASSING.includes(code) && PRUNED.test(message)) return 'pruned';
  if ([METHOD_NOT_FOUND, METHOD_NOT_SUPPORTED, INVALID_PARAMS].includes(code)) return 'not-offered';
  return code === SERVER_ERROR && NO_METHOD.test(message) ? 'not-offered' : 'not-now';
}

/**
 * Whether a question that was refused for long may be answered all the same: a limit, or no answer of a node's at all. An
 * error of its own that it repeats says that it cannot.
 */
export function maySoonAnswer(error: unknown): boolean {
  const answer = rpcError(error);
  return answer === null || LIMITS.includes(answer.code);
}

/** What a node's refusal of a block by its tag means. */
export function tagRefusalOf(error: unknown): TagRefusal {
  const answer = rpcError(error);
  if (!answer) return 'not-now';
  const { code, message } = answer;
  if (code === INVALID_PARAMS) return 'unknown-tag';
  if (code === SERVER_ERROR && NO_TAG.test(message)) return 'unknown-tag';
  const isNoBlock = [SERVER_ERROR, -32001, -39001].includes(code) && NO_BLOCK.test(message);
  return isNoBlock ? 'nothing-yet' : 'not-now';
}

/** Whether the chain's code refused what was tried, such as a token before it existed; not the node. */
export function isRevert(error: unknown): boolean {
  const answer = rpcError(error);
  return answer !== null && (answer.code === 3 || /revert/i.test(answer.message));
}
