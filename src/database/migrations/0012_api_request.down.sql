DROP TABLE api_request;
