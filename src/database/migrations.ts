import { readFileSync } from 'node:fs';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { sourceFile } from '../config/project-files.js';

/** A migration is a pair of SQL files, never edited after it has landed. */
function sqlMigration(timestamp: number, file: string): new () => MigrationInterface {
  const read = (direction: 'up' | 'down') =>
    readFileSync(sourceFile(`database/migrations/${file}.${direction}.sql`), 'utf8');
  return class {
    readonly name = `${file}${timestamp}`;

    async up(runner: QueryRunner): Promise<void> {
      await runner.query(read('up'));
    }

    async down(runner: QueryRunner): Promise<void> {
      await runner.query(read('down'));
    }
  };
}

export const MIGRATIONS = [
  sqlMigration(1795219200000, '0001_initial'),
  sqlMigration(1795219200001, '0002_review'),
  sqlMigration(1795219200002, '0003_transfer_spends'),
  sqlMigration(1795219200003, '0004_coin_balances'),
  sqlMigration(1795219200004, '0005_alerts'),
  sqlMigration(1795219200006, '0007_refund_request'),
  sqlMigration(1795219200007, '0008_accounts'),
  sqlMigration(1795219200008, '0009_webhook_log'),
  sqlMigration(1795219200009, '0010_payment_search'),
  sqlMigration(1795219200013, '0014_operator'),
  sqlMigration(1795219200010, '0011_passkey_challenge'),
  sqlMigration(1795219200014, '0015_retention'),
  sqlMigration(1795219200016, '0017_chain_identity'),
  sqlMigration(1795219200012, '0013_settings'),
  sqlMigration(1795219200011, '0012_api_request'),
  sqlMigration(1795219200015, '0016_watch_lease'),
  sqlMigration(1795219200017, '0018_observed_time'),
  sqlMigration(1795219200018, '0019_unsettled_money'),
  sqlMigration(1795219200027, '0028_intent_undecidable'),
  sqlMigration(1795219200028, '0029_swept'),
  sqlMigration(1795219200019, '0020_reconciliation'),
  sqlMigration(1795219200020, '0021_trust'),
  sqlMigration(1795219200021, '0022_devices'),
  sqlMigration(1795219200031, '0032_event_log'),
  sqlMigration(1795219200032, '0033_before_issue'),
  sqlMigration(1795219200033, '0034_searched_keys'),
  sqlMigration(1795219200034, '0035_known_asset'),
  sqlMigration(1795219200035, '0036_one_reason'),
  sqlMigration(1795219200036, '0037_coin_left'),
  sqlMigration(1795219200037, '0038_refunds_of_final_money'),
  sqlMigration(1795219200038, '0039_other_content'),
  sqlMigration(1795219200039, '0040_coin_blind_from'),
  sqlMigration(1795219200040, '0041_left_and_unsearched'),
  sqlMigration(1795219200041, '0042_depths_of_a_quote'),
  sqlMigration(1795219200042, '0043_movements_do_not_change'),
  sqlMigration(1795219200043, '0044_spent_unseen'),
  sqlMigration(1795219200044, '0045_wallets_by_address'),
  sqlMigration(1795219200046, '0047_news'),
  sqlMigration(1795219200049, '0050_compared_height'),
  sqlMigration(1795219200051, '0052_collections'),
  sqlMigration(1795219200052, '0053_in_place_of'),
  sqlMigration(1795219200053, '0054_collected_unseen'),
  sqlMigration(1795219200054, '0055_indexes_by_transaction'),
  sqlMigration(1795219200055, '0056_baseline_hash'),
  sqlMigration(1795219200056, '0057_comparing_height'),
  sqlMigration(1795219200057, '0058_refunds_on_chain'),
  sqlMigration(1795219200058, '0059_refund_turns'),
  sqlMigration(1795219200059, '0060_refunds_looked_after'),
  sqlMigration(1795219200061, '0062_beside_settlement'),
  sqlMigration(1795219200063, '0064_payment_search_parts'),
  sqlMigration(1795219200064, '0065_faces'),
  sqlMigration(1795219200065, '0066_forgotten_passwords'),
  sqlMigration(1795219200068, '0069_tolerance_chosen'),
  sqlMigration(1795219200070, '0071_halted_networks'),
  sqlMigration(1795219200071, '0072_final_is_read'),
  sqlMigration(1795219200072, '0073_saved_views'),
  sqlMigration(1795219200073, '0074_language_of_people'),
  sqlMigration(1795219200074, '0075_refunds_are_facts'),
  sqlMigration(1795219200075, '0076_final_given_up'),
  sqlMigration(1795219200076, '0077_depth_of_an_address'),
  sqlMigration(1795219200077, '0078_terms_of_a_quote'),
  sqlMigration(1795219200078, '0079_finite_numbers'),
  sqlMigration(1795219200079, '0080_quotes_by_asset'),
  sqlMigration(1795219200080, '0081_named_addresses'),
  sqlMigration(1795219200083, '0084_watched_since'),
  sqlMigration(1795219200084, '0085_refunds_below_the_cursor'),
  sqlMigration(1795219200085, '0086_excess_that_is_final'),
  sqlMigration(1795219200086, '0087_refunds_given_up'),
  sqlMigration(1795219200087, '0088_refused_searches'),
  sqlMigration(1795219200088, '0089_days_of_payments'),
  sqlMigration(1795219200089, '0090_payments_by_amount'),
  sqlMigration(1795219200090, '0091_shards_by_session'),
  sqlMigration(1795219200091, '0092_functions_name_their_tables'),
  sqlMigration(1795219200093, '0094_definers_are_nobodys'),
  sqlMigration(1795219200094, '0095_what_is_of_one_payment'),
  sqlMigration(1795219200095, '0096_tries_of_a_day'),
  sqlMigration(1795219200096, '0097_what_has_happened_stays'),
  sqlMigration(1795219200097, '0098_alert_mail_budgets'),
  sqlMigration(1795219200098, '0099_unfinished_sign_ins'),
  sqlMigration(1795219200099, '0100_deliveries_follow'),
  sqlMigration(1795219200100, '0101_deliveries_retried'),
  sqlMigration(1795219200101, '0102_what_is_for_good_stays'),
  sqlMigration(1795219200102, '0103_pending_secrets_of_sessions'),
  sqlMigration(1795219200103, '0104_second_steps_of_devices'),
  sqlMigration(1795219200104, '0105_invitations_offer_one'),
  sqlMigration(1795219200105, '0106_one_time_of_a_block'),
  sqlMigration(1795219200107, '0108_facts_at_rest'),
  sqlMigration(1795219200108, '0109_what_others_may_have_done'),
  sqlMigration(1795219200109, '0110_delayed_deliveries'),
];
