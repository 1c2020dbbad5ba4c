ALTER TABLE one_time_link DROP CONSTRAINT one_time_link_offers_one;
