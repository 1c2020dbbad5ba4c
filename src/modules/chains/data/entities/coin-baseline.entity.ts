import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { asBigInt, asNumber } from '../../../../database/columns.js';

@Entity('coin_baseline')
@Index('coin_baseline_height', ['network', 'height'])
export class CoinBaselineEntity {
  @PrimaryColumn('text')
  network: string;

  @PrimaryColumn('text')
  address: string;

  @PrimaryColumn('bigint', { transformer: asNumber })
  height: number;

  @Column('numeric', { name: 'unexplained_atoms', precision: 78, scale: 0, transformer: asBigInt })
  unexplainedAtoms: bigint;
}
