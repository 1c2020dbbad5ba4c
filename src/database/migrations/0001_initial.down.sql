DROP TABLE intent_count, settlement, transition, status_edge, delivery_attempt, delivery, event, webhook_endpoint,
  fact_change, transfer, chain_block, chain_cursor, wallet, rate_window, api_key CASCADE;
DROP TABLE quote, intent, address, extended_key, merchant CASCADE;
DROP FUNCTION refuse_change();
