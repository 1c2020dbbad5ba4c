DROP TRIGGER address_is_not_named ON address;
DROP TRIGGER own_address_names_address ON own_address;
DROP TRIGGER destination_names_address ON destination;
DROP FUNCTION refuse_named_address();
DROP FUNCTION name_address();
DROP TABLE named_address;
