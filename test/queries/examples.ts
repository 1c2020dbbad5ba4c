const NETWORKS = `'{ethereum,base,polygon}'`;
const DAY = `now() - interval '1 day'`;

/**
 * Typical values of statements whose plan depends on them (a limit, a range, a filter that may be off), as SQL. The
 * others are planned without values.
 */
export const EXAMPLES: Readonly<Record<string, string>> = {
  'alerts-open-count': `'mer_0'`,
  'intents-accounting-export': `'mer_0', now() - interval '30 days', now(), NULL, NULL`,
  'chains-add-unseen-time': `'ethereum', 'evm', 500, ${DAY}, false`,
  'chains-blocks-at': `'ethereum', '{999990,1000000}'`,
  'chains-blocks-rested-on': `'ethereum', 1000000, 20`,
  'chains-coin-movements': `'ethereum', '{pi_1,pi_2}', '{0x1,0x2}', 999000`,
  'chains-collected': `'mer_0', ${NETWORKS}, 50, NULL`,
  'chains-deepen': `'ethereum', 999940, '{0x1,0x2}'`,
  'chains-drop-baselines': `'ethereum', 999990`,
  'chains-drop-blocks': `'ethereum', 999990`,
  'chains-drop-collections': `'ethereum', 999990`,
  'chains-gaps': `'mer_0'`,
  'chains-health': `500`,
  'chains-holdings': `'mer_0', ${NETWORKS}, true`,
  'chains-is-crowded-out': `'mer_0', 'ethereum', 500`,
  'chains-key-holdings': `'mer_0', ${NETWORKS}`,
  'chains-lower-passed': `'ethereum', 999990, 'evm'`,
  'chains-make-final': `'ethereum', 999940`,
  'chains-orphan': `'ethereum', 999990`,
  'chains-passed': `'ethereum', 999990`,
  'chains-standings': `500`,
  'chains-stored-blocks': `'ethereum', 1000000, 1024`,
  'chains-unwatched': `'ethereum', 'evm', 500, '{0x1,0x2}'`,
  'webhooks-event-log-after': `'mer_0', 1000, 100`,
  'intents-lapsed-of-all': `100, NULL, NULL`,
  'intents-lapsed-of-merchant': `100, NULL, NULL, 'mer_0'`,
  'intents-list': `'mer_0', NULL, NULL, 20, 100`,
  'intents-list-of-statuses': `'mer_0', NULL, NULL, 20, 0, '{settled,failed}'`,
  'intents-list-within': `'mer_0', ${DAY}, now(), 20, 0`,
  'intents-list-of-statuses-within': `'mer_0', ${DAY}, now(), 20, 0, '{settled,failed}'`,
  'intents-list-settled-within': `'mer_0', now() - interval '30 days', now(), 20, 0, '{settled}'`,
  'intents-list-of-key': `'mer_0', NULL, NULL, 20, 0, 'order-7', NULL`,
  'intents-overdue-of-all': `100, NULL, NULL`,
  'chains-reconcile-addresses': `'evm', now() - interval '30 days', '0x', 500, NULL`,
  'chains-reconcile-coin-finders': `'ethereum', 'evm', 500, '{0x1,0x2}', 999990`,
  'chains-reconcile-differences': `'ethereum', 100`,
  'chains-reconcile-leave-coin': `'ethereum', 'evm', 500, '{0x1,0x2}'`,
  'chains-reconcile-recorded-in': `'ethereum', 500000, 500100`,
  'chains-reconcile-unissued': `'evm', 20, '', 1000, 100`,
  'webhooks-claim': `'{}', '{}', '{}', 64`,
};
