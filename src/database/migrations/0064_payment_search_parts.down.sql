DROP INDEX intent_words;
DROP EXTENSION pg_trgm;
