import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { violationsOfInvariants } from './data/invariants.statement.js';

export interface Finding {
  readonly invariant: string;
  readonly violations: number;
}

/** What must hold at any time, as queries. Run by `cli check` and after tests. */
@Injectable()
export class InvariantsService {
  constructor(private readonly dataSource: DataSource) {}

  /** All invariants on one snapshot, with how many rows break each. */
  async check(): Promise<Finding[]> {
    return this.dataSource.transaction('REPEATABLE READ', (tx) => this.checkIn(tx));
  }

  /** The same as seen from inside a transaction. */
  async checkIn(tx: EntityManager): Promise<Finding[]> {
    const findings: Finding[] = [];
    for await (const [invariant, violations] of violationsOfInvariants(tx))
      findings.push({ invariant, violations });
    return findings;
  }
}
