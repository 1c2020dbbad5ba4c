import type { Alert } from '../../alerts/alerts.types.js';
import type { NetworkState } from '../../chains/chains.types.js';
import type { MerchantStatus } from '../../merchants/merchants.types.js';
import type { EndpointTrouble } from '../../webhooks/webhooks.types.js';
import { plural } from '../domain/times.js';
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

export interface Standing {
  readonly status: MerchantStatus;
  readonly reviewCount: number;
  readonly endpoints: readonly EndpointTrouble[];
  /** Of the networks with a wallet: the network's name and its state. */
  readonly networks: readonly { readonly name: string; readonly state: NetworkState }[];
  /** Pairs without a price, "BTC in CHF", of the assets that the merchant takes. */
  readonly unpriced: readonly string[];
  readonly alerts: readonly Pick<Alert, 'kind' | 'subject' | 'summary' | 'detail'>[];
}

const NETWORK_WORDS: Record<Exclude<NetworkState, 'open'>, string> = {
  lagging: 'we do not see its newest blocks',
  starting: 'we are catching up with its blocks',
  disputed: 'two nodes tell different stories about it',
  halted: 'its node is on another chain than the one that we followed',
};

/** Money first, then what keeps the merchant's server from hearing of it, then what buyers cannot choose. */
export function concerns(standing: Standing): Concern[] {
  return [
    ...account(standing.status),
    ...undone(standing.alerts),
    ...queue(standing.reviewCount),
    ...standing.endpoints.map(endpoint),
    ...standing.networks.flatMap(network),
    ...prices(standing.unpriced),
  ];
}

function account(status: MerchantStatus): Concern[] {
  if (status === 'approved') return [];
  const detail =
    status === 'pending'
      ? 'Payments can be created once the operator of this service has approved it.'
      : 'No new payment can be created or picked. What is under way goes on. Ask the operator of this service.';
  return [{ tone: 'bad', text: `Your account is ${status}`, detail, path: null }];
}

/** Entries of the queue and failing endpoints have lines of their own, with today's numbers. */
function undone(alerts: Standing['alerts']): Concern[] {
  return alerts
    .filter(({ kind }) => kind !== 'review-entry' && kind !== 'webhook-endpoint-disabled')
    .map(({ subject, summary, detail }) => ({
      tone: 'bad',
      text: summary,
      detail,
      path: subject.startsWith('pi_') ? pathTo('payment', subject) : pathTo('alerts'),
    }));
}

function queue(count: number): Concern[] {
  if (count === 0) return [];
  const text = count === 1 ? '1 payment waits for your decision' : `${count} payments wait for your decision`;
  const detail = 'Money came too little, too late or to the wrong place. Decide what becomes of it.';
  return [{ tone: 'warn', text, detail, path: pathTo('reviews') }];
}

function endpoint({ endpointId, url, waiting, disabled }: EndpointTrouble): Concern {
  const path = pathTo('webhook', endpointId);
  const events = `${plural(waiting, 'event')} ${waiting === 1 ? 'waits' : 'wait'} for it`;
  return disabled
    ? {
        tone: 'bad',
        text: 'A webhook endpoint was disabled',
        detail: `${url} failed for days. ${events}.`,
        path,
      }
    : { tone: 'bad', text: 'A webhook endpoint is failing', detail: `${url}: ${events}.`, path };
}

function network({ name, state }: Standing['networks'][number]): Concern[] {
  if (state === 'open') return [];
  const detail = `Buyers cannot choose it: ${NETWORK_WORDS[state]}. Money that arrives meanwhile is found later.`;
  return [{ tone: 'warn', text: `${name} is closed at the checkout`, detail, path: null }];
}

function prices(unpriced: readonly string[]): Concern[] {
  if (unpriced.length === 0) return [];
  const detail = `Buyers cannot choose ${unpriced.join(', ')} until the price sources answer again.`;
  return [{ tone: 'warn', text: 'No current price for some assets', detail, path: null }];
}
