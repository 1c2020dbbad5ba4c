import { Injectable } from '@nestjs/common';
import type { Subject } from 'rxjs';
import type { DataSource, EntityManager } from 'typeorm';
import type { On } from '../../database/statement.js';
import { valueAt } from '../../kernel/lookups.js';
import type { FactBacklog, FactChange, Facts } from './chains.types.js';
import { FactsRepository } from './data/facts.repository.js';
import { LedgerRepository } from './data/ledger.repository.js';

/** What the chains say of a subject's addresses, and whose facts have changed; the chains never call back. */
@Injectable()
export class FactsService {
  /** Facts were committed in this process; other instances' are found by asking for `changes`. */
  readonly changed: Subject<void>;

  constructor(
    private readonly rows: FactsRepository,
    ledger: LedgerRepository,
  ) {
    this.changed = ledger.changed;
  }

  async of(on: DataSource | EntityManager, subject: string): Promise<Facts> {
    return valueAt(await this.rows.factsOf(on, [subject]), subject);
  }

  /** In one round trip; every subject that was asked for has an entry. */
  ofEach(on: On, subjects: readonly string[]): Promise<ReadonlyMap<string, Facts>> {
    return this.rows.factsOf(on, subjects);
  }

  /** Short texts that change when the facts of a subject do, however many they are; none of one that never saw money. */
  revisions(subjects: readonly string[]): Promise<ReadonlyMap<string, string>> {
    return this.rows.revisions(subjects);
  }

  /** Subjects to decide again, the longest waiting first. */
  changes(limit: number): Promise<FactChange[]> {
    return this.rows.changes(limit);
  }

  /** Whether a change of the subject's still waits, under its lock: another instance may have decided it until now. */
  isChanged(tx: EntityManager, subject: string): Promise<boolean> {
    return this.rows.isChanged(tx, subject);
  }

  /**
   * Done with a change, in the transaction of its decision and under the subject's lock. A newer change of the same subject
   * stays, and then nothing rests.
   * @param resting ids of transfers in blocks of which more blocks on top are no news to the subject: these alone change
   *   nothing for it, until one of them leaves its block or another one comes
   */
  acknowledge(tx: EntityManager, change: FactChange, resting: readonly string[]): Promise<void> {
    return this.rows.acknowledge(tx, change, resting);
  }

  /** A change that could not be decided now goes behind the others. */
  postpone(change: FactChange): Promise<void> {
    return this.rows.postpone(change);
  }

  /** A decision that leaves work is made once more, behind the others: nothing has to change for it. */
  lookAgain(tx: EntityManager, subject: string): Promise<void> {
    return this.rows.lookAgain(tx, subject);
  }

  backlog(): Promise<FactBacklog> {
    return this.rows.backlog();
  }
}
