import type { Alert } from '../../alerts/alerts.types.js';
import type { NetworkState } from '../../chains/health.types.js';
import type { MerchantStatus } from '../../merchants/merchants.types.js';
import type { EndpointTrouble } from '../../webhooks/webhooks.types.js';
import { withShortIds } from '../domain/shortened.js';
import type { Text } from '../language/german/german.js';
import type { Say } from '../language/say.js';
import { pathTo } from '../paths.http.js';

/** One line of what somebody has to look at, and where. */
export interface Concern {
  readonly tone: 'bad' | 'warn';
  readonly text: string;
  /** What follows from it, or what to do. */
  readonly detail: string;
  /** `null` where nothing can be done here. */
  readonly path: string | null;
}

export interface MerchantStanding {
  readonly status: MerchantStatus;
  readonly reviewCount: number;
  /** The payment that waits, where it is the only one. */
  readonly onlyReview: string | null;
  readonly endpoints: readonly EndpointTrouble[];
  /** Of the networks with a wallet: the network's name and its state. */
  readonly networks: readonly { readonly name: string; readonly state: NetworkState }[];
  /** Pairs without a price, asset and currency, of the assets that the merchant takes. */
  readonly unpriced: readonly (readonly [asset: string, currency: string])[];
  readonly alerts: readonly Pick<Alert, 'kind' | 'subject' | 'summary' | 'detail'>[];
}

const NETWORK_WORDS = {
  lagging: 'we do not see its newest blocks',
  starting: 'we are catching up with its blocks',
  disputed: 'two nodes tell different stories about it',
  halted: 'its node is on another chain than the one that we followed',
} as const satisfies Record<Exclude<NetworkState, 'open'>, Text>;

const ACCOUNTS = {
  pending: 'Your account is pending',
  suspended: 'Your account is suspended',
  closed: 'Your account is closed',
} as const satisfies Record<Exclude<MerchantStatus, 'approved'>, Text>;

/** Money first, then what keeps the merchant's server from hearing of it, then what buyers cannot choose. */
export function concerns(say: Say, standing: MerchantStanding): Concern[] {
  return [
    ...account(say, standing.status),
    ...undone(say, standing.alerts),
    ...queue(say, standing),
    ...standing.endpoints.map((each) => endpoint(say, each)),
    ...standing.networks.flatMap((each) => network(say, each)),
    ...prices(say, standing.unpriced),
  ];
}

function account(say: Say, status: MerchantStatus): Concern[] {
  if (status === 'approved') return [];
  const detail =
    status === 'pending'
      ? say('Payments can be created once the operator of this service has approved it.')
      : say(
          'No new payment can be created or picked. What is under way goes on. Ask the operator of this service.',
        );
  return [{ tone: 'bad', text: say(ACCOUNTS[status]), detail, path: null }];
}

/** Entries of the queue and failing endpoints have lines of their own, with today's numbers. */
function undone(say: Say, alerts: MerchantStanding['alerts']): Concern[] {
  return alerts
    .filter(({ kind }) => kind !== 'review-entry' && kind !== 'webhook-endpoint-disabled')
    .map(({ subject, summary, detail }) => ({
      tone: 'bad',
      text: withShortIds(say.told(summary)),
      detail: withShortIds(say.told(detail)),
      path: subject.startsWith('pi_') ? pathTo('payment', subject) : pathTo('alerts'),
    }));
}

/** A single one is a click away; several are chosen from. */
function queue(say: Say, { reviewCount: count, onlyReview }: MerchantStanding): Concern[] {
  if (count === 0) return [];
  const text = say(
    '{count, plural, one {# payment waits for your decision} other {# payments wait for your decision}}',
    { count },
  );
  const detail = say('Money came too little, too late or to the wrong place. Decide what becomes of it.');
  const path = onlyReview === null ? pathTo('reviews') : pathTo('review', onlyReview);
  return [{ tone: 'warn', text, detail, path }];
}

function endpoint(say: Say, { endpointId, url, waiting, disabled }: EndpointTrouble): Concern {
  const path = pathTo('webhook', endpointId);
  const values = { url, count: waiting };
  return {
    tone: 'bad',
    text: disabled ? say('A webhook endpoint was disabled') : say('A webhook endpoint is failing'),
    detail: disabled
      ? say(
          '{url} failed for days. {count, plural, one {# event waits for it.} =10000 {# events or more wait for it.} other {# events wait for it.}}',
          values,
        )
      : say(
          '{url}: {count, plural, one {# event waits for it.} =10000 {# events or more wait for it.} other {# events wait for it.}}',
          values,
        ),
    path,
  };
}

function network(say: Say, { name, state }: MerchantStanding['networks'][number]): Concern[] {
  if (state === 'open') return [];
  const detail = say('Buyers cannot choose it: {reason}. Money that arrives meanwhile is found later.', {
    reason: say(NETWORK_WORDS[state]),
  });
  return [
    { tone: 'warn', text: say('{network} is closed at the checkout', { network: name }), detail, path: null },
  ];
}

function prices(say: Say, unpriced: MerchantStanding['unpriced']): Concern[] {
  if (unpriced.length === 0) return [];
  const detail = say('Buyers cannot choose {pairs} until the price sources answer again.', {
    pairs: unpriced.map(([asset, currency]) => say('{asset} in {currency}', { asset, currency })).join(', '),
  });
  return [{ tone: 'warn', text: say('No current price for some assets'), detail, path: null }];
}
