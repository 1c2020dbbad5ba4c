import { everyLife } from '../../model/every-life.js';
import { refundCommands, RefundRun } from '../../model/refund-run.js';

// Refunds among forks, second payments and people who name, withdraw and forget.
everyLife(
  'are known to be paid where the chain pays them in the end, and nowhere else',
  100,
  refundCommands,
  (stage, commands) => RefundRun.of(stage, commands),
);
