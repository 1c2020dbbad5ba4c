DELETE FROM alert_notice WHERE about <> 'raised';
ALTER TABLE alert_notice DROP CONSTRAINT alert_notice_pkey, DROP COLUMN about, DROP COLUMN created_at,
  ADD PRIMARY KEY (alert_id, channel);
ALTER TABLE alert DROP COLUMN acknowledged_note;
