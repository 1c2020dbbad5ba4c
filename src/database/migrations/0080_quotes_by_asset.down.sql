DROP INDEX quote_asset;
