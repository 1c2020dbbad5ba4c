import { Injectable, Logger } from '@nestjs/common';
import { fieldsOf } from '../../../kernel/error-fields.js';
import { ScheduledJob } from '../../../platform/jobs/scheduled-job.js';
import { Refunds } from '../unsettled/data/refunds.repository.js';
import { RefundsService } from './refunds.service.js';

/** Somebody may be waiting for it on the page; without an open refund it is one look at an index. */
const FOLLOW_EVERY_MS = 2_000;
/** Of one network in a turn. */
const MOST = 50;

/** Looks for refunds on the chains until they are final. */
@Injectable()
export class RefundsJobs {
  private readonly logger = new Logger(RefundsJobs.name);

  constructor(
    private readonly rows: Refunds,
    private readonly refunds: RefundsService,
  ) {}

  /** @returns whether there may be more blocks to look at: then at once */
  @ScheduledJob('follow-refunds', FOLLOW_EVERY_MS)
  async follow(): Promise<boolean> {
    let isFurther = false;
    for (const network of await this.rows.openNetworks()) {
      try {
        isFurther = (await this.refunds.follow(network, MOST)) || isFurther;
      } catch (error) {
        // A node that does not answer keeps the refunds of its own network waiting, and no others.
        this.logger.warn({ ...fieldsOf(error), network }, 'refunds could not be looked for');
      }
    }
    return isFurther;
  }
}
