#!/bin/sh
# Run once by the image of PostgreSQL, in an empty database: the role that the service runs as owns nothing.
set -eu
psql --set ON_ERROR_STOP=1 --set password="$APP_PASSWORD" --username "$POSTGRES_USER" --dbname "$POSTGRES_DB" <<'SQL'
CREATE ROLE rappen_app LOGIN PASSWORD :'password';
-- The service makes no temporary tables, which would hide others of their names.
REVOKE TEMPORARY ON DATABASE :"DBNAME" FROM PUBLIC;
SQL
