#!/bin/sh
# First start of PostgreSQL: a database and a role for each service, so that none can read another's tables.
# The passwords come from the environment; run once, on an empty volume.
set -eu
psql -v ON_ERROR_STOP=1 -U "${POSTGRES_USER:-postgres}" -d postgres \
    -v match="$FARSIDE_DB_PASSWORD_MATCH" -v ledger="$FARSIDE_DB_PASSWORD_LEDGER" \
    -v rating="$FARSIDE_DB_PASSWORD_RATING" -v gateway="$FARSIDE_DB_PASSWORD_GATEWAY" <<'SQL'
CREATE ROLE farside_match LOGIN PASSWORD :'match';
CREATE ROLE farside_ledger LOGIN PASSWORD :'ledger';
CREATE ROLE farside_rating LOGIN PASSWORD :'rating';
CREATE ROLE farside_gateway LOGIN PASSWORD :'gateway';
CREATE DATABASE farside_match OWNER farside_match;
CREATE DATABASE farside_ledger OWNER farside_ledger;
CREATE DATABASE farside_rating OWNER farside_rating;
CREATE DATABASE farside_gateway OWNER farside_gateway;
REVOKE CONNECT ON DATABASE farside_match, farside_ledger, farside_rating, farside_gateway FROM PUBLIC;
SQL
