DROP TABLE watch_lease;
