DROP TRIGGER alert_stays_over ON alert;
DROP TRIGGER refund_stays_withdrawn ON refund;
DROP TRIGGER person_stays_known ON person;
DROP TRIGGER recovery_code_stays_used ON recovery_code;
DROP TRIGGER one_time_link_stays_over ON one_time_link;
DROP TRIGGER merchant_stays_closed ON merchant;
