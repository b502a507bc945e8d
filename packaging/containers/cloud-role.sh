# Makes the database of the cloud and its role, which owns that database and is no superuser. PostgreSQL's image runs this
# once, for a new volume.
psql --no-psqlrc --quiet --set ON_ERROR_STOP=1 --username "$POSTGRES_USER" --dbname postgres <<'END'
\getenv password CLOUD_DATABASE_PASSWORD
create role cloud login password :'password';
create database cloud owner cloud;
revoke connect, temporary on database cloud, postgres from public;
END
