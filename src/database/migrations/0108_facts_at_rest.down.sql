DROP TABLE fact_rest;
