import type { EntityManager } from 'typeorm';

/** What joins the transaction of a change: who did it, for an audit log. */
export type Also = (tx: EntityManager) => Promise<void>;
