DROP TABLE collection;
