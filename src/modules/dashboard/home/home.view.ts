import type { ApiKeyView } from '../../auth/auth.types.js';
import type { MerchantStatus } from '../../merchants/merchants.types.js';
import type { PageModel } from '../door/visit.js';

export interface SetUp {
  readonly status: MerchantStatus;
  /** Networks with a wallet. */
  readonly networks: readonly string[];
  readonly keys: readonly Pick<ApiKeyView, 'revokedAt'>[];
  readonly endpoints: readonly unknown[];
}

interface Step {
  readonly text: string;
  readonly isDone: boolean;
}

/** What has to be done until the first payment, in the order in which it is done. */
export function homeView(merchantName: string, { status, networks, keys, endpoints }: SetUp): PageModel {
  const steps: Step[] = [
    { text: 'The operator has approved your account', isDone: status === 'approved' },
    { text: 'A wallet receives the money', isDone: networks.length > 0 },
    {
      text: 'An API key lets your server create payments',
      isDone: keys.some(({ revokedAt }) => revokedAt === null),
    },
    { text: 'A webhook endpoint tells your server what was paid', isDone: endpoints.length > 0 },
  ];
  return { title: 'Home', merchantName, steps };
}
