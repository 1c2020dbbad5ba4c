import type { EntityManager } from 'typeorm';
import type { AuditAction } from './audit-actions.js';

/**
 * Said by whom every merchant's things are open to: the operator, and a buyer who holds the link of the one payment that is
 * asked for. A symbol, so that nothing from outside and no value that is missing can say it.
 */
export const ANYBODYS: unique symbol = Symbol('anybody’s');

/** The merchant whose a thing must be, or that it may be anybody's. A `merchantId` of `null` is never that: it is no merchant's. */
export type Whose = string | typeof ANYBODYS;

/** What a change leaves in the log. Never a secret: the log is read by people. */
export interface Change {
  /** `null` for what is not about one merchant. */
  readonly merchantId: string | null;
  readonly action: AuditAction;
  /** The id of what was changed. */
  readonly subject: string;
  /** What a reader wants to know: labels, before and after. JSON. */
  readonly detail?: Readonly<Record<string, unknown>>;
}

/** What was refused to an account, and therefore changed nothing. */
export type RefusedChange = Omit<Change, 'detail'> & {
  /** One of few words: of each there is an entry an hour. */
  readonly why: string;
};

/** Who decides. What takes one cannot be done by nobody, and records itself in its own transaction. */
export interface By {
  readonly name: string;
  readonly record: (tx: EntityManager, change: Change) => Promise<void>;
}

/** Who is no person: a merchant's server by its key, a standing rule, and a chain that says what happened. */
export type Agent = `key:${string}` | `rule:${string}` | `chain:${string}`;

/** Where modules that know no people record what an agent changes: the accounts' log. */
export abstract class AuditTrail {
  /** @param ip where the request came from; `null` for what nobody asked for */
  abstract agent(name: Agent, ip: string | null): By;
  /** Leaves an entry once an hour of each agent and kind, a moment later. */
  abstract refusedAgent(name: Agent, ip: string | null, refusal: RefusedChange): void;
}
