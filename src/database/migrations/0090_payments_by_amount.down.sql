DROP INDEX intent_amount;
