const NETWORKS = `'{ethereum,base,polygon}'`;
const DAY = `now() - interval '1 day'`;

/**
 * Typical values of statements whose plan depends on them (a limit, a range, a filter that may be off), as SQL. The
 * others are planned without values.
 */
export const EXAMPLES: Readonly<Record<string, string>> = {
  'alert-open-count': `'mer_0'`,
  books: `'mer_0', now() - interval '30 days', now(), NULL, NULL`,
  chains_add_unseen_time: `'ethereum', 'evm', 500, ${DAY}, false`,
  chains_blocks_rested_on: `'ethereum', 1000000, 20`,
  chains_coin_movements: `'ethereum', '{pi_1,pi_2}', '{0x1,0x2}', 999000`,
  chains_collected: `'mer_0', ${NETWORKS}, 50, NULL`,
  chains_deepen: `'ethereum', 999940`,
  chains_drop_baselines: `'ethereum', 999990`,
  chains_drop_blocks: `'ethereum', 999990`,
  chains_drop_collections: `'ethereum', 999990`,
  chains_gaps: `'mer_0'`,
  chains_holdings: `'mer_0', ${NETWORKS}, true`,
  chains_is_crowded_out: `'mer_0', 'ethereum', 500`,
  chains_key_holdings: `'mer_0', ${NETWORKS}`,
  chains_lower_passed: `'ethereum', 999990, 'evm'`,
  chains_orphan: `'ethereum', 999990`,
  chains_passed: `'ethereum', 999990`,
  chains_standings: `500`,
  chains_stored_blocks: `'ethereum', 1000000`,
  chains_unwatched: `'ethereum', 'evm', 500, '{0x1,0x2}'`,
  'event-log-after': `'mer_0', 1000, 100`,
  'intent-lapsed-of-all': `100, NULL, NULL`,
  'intent-lapsed-of-merchant': `'mer_0', 100`,
  'intent-list': `'mer_0', '{settled}', NULL, NULL, 20, 0`,
  'intent-list-between': `'mer_0', NULL, ${DAY}, now(), 20, 0`,
  'intent-list-of-key': `'mer_0', NULL, NULL, NULL, 20, 0, 'order-7'`,
  'intent-overdue-of-all': `100, NULL, NULL`,
  reconcile_addresses: `'evm', now() - interval '30 days', '0x', 500, NULL`,
  reconcile_coin_finders: `'ethereum', 'evm', 500, '{0x1,0x2}', 999990`,
  reconcile_differences: `'ethereum', 100`,
  reconcile_leave_coin: `'ethereum', 'evm', 500, '{0x1,0x2}'`,
  reconcile_recorded_in: `'ethereum', 500000, 500100`,
  reconcile_unissued: `'evm', 20, '', 1000, 100`,
  'webhooks.claim': `'{}', '{}', '{}', 64`,
};
