import { Injectable, Logger } from '@nestjs/common';
import { fieldsOf } from '../../../kernel/error-fields.js';
import { ScheduledJob } from '../../../platform/jobs/scheduled-job.js';
import { RefundFollowingRepository } from '../unsettled/data/refund-following.repository.js';
import { RefundFollower } from './refund-follower.service.js';

/** Somebody may be waiting for it on the page; without an open refund it is one look at an index. */
const FOLLOW_EVERY_MS = 2_000;
/** Of one network in a turn. */
const MOST = 50;
/** Of one network in a turn, which may be as long as another's node takes to say nothing. */
const MOST_LOOKS = 30;

/** Looks for refunds on the chains until they are final, and for a while afterwards. */
@Injectable()
export class RefundsJobs {
  private readonly logger = new Logger(RefundsJobs.name);

  constructor(
    private readonly rows: RefundFollowingRepository,
    private readonly follower: RefundFollower,
  ) {}

  /** @returns whether there may be more blocks to look at: then at once */
  @ScheduledJob('follow-refunds', FOLLOW_EVERY_MS)
  async follow(): Promise<boolean> {
    await this.follower.reconsider(MOST);
    const networks = await this.rows.networks();
    const further = await Promise.all(networks.map((network) => this.followOn(network)));
    return further.includes(true);
  }

  /** A node that does not answer keeps the refunds of its own network waiting, and no others: these get on meanwhile. */
  private async followOn(network: string): Promise<boolean> {
    try {
      let isFurther = true;
      for (let looks = 0; isFurther && looks < MOST_LOOKS; looks += 1)
        isFurther = await this.follower.follow(network, MOST);
      await this.follower.lookAfter(network, MOST);
      return isFurther;
    } catch (error) {
      this.logger.warn({ ...fieldsOf(error), network }, 'refunds could not be looked for');
      return false;
    }
  }
}
