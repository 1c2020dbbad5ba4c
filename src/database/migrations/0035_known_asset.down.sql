DROP TABLE known_asset;
