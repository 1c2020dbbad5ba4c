import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Retention } from '../../../platform/retention/retention.js';
import { RESTS_FOR_GOOD } from '../data/movements.sql.js';

/** That a transfer rests is asked at each block until it is final. */
@Injectable()
export class RestsRetention implements OnModuleInit {
  constructor(private readonly retention: Retention) {}

  onModuleInit(): void {
    this.retention.keep({ what: 'fact_rest', table: 'fact_rest', over: RESTS_FOR_GOOD });
  }
}
