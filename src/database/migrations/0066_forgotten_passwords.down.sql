DROP TABLE password_request;
