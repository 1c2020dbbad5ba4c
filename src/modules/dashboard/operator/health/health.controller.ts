import { Get, Inject } from '@nestjs/common';
import { CONFIG, type Config } from '../../../../config/config.types.js';
import { NetworksService } from '../../../chains/networks/networks.service.js';
import { Allow, CurrentContext, DashboardController } from '../../session/allow.js';
import { RequestContext } from '../../session/request-context.js';
import { healthView } from './health.view.js';
import { HealthBoard } from './health-board.js';

/** The operator's first page: what is wrong, then everything else. */
@DashboardController('operator')
export class OperatorHealthController {
  constructor(
    private readonly board: HealthBoard,
    private readonly networks: NetworksService,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  @Get()
  @Allow('operator')
  async show(@CurrentContext() context: RequestContext): Promise<void> {
    const board = await this.board.read();
    // This process' clock: the database's may be what does not answer, and ages are told to the minute.
    const isSandbox = this.config.mode === 'sandbox';
    const nameOf = (id: string) => this.networks.nameOf(id);
    const view = healthView(context.say, board, new Date(), isSandbox, nameOf);
    await context.page('operator/health', view);
  }
}
