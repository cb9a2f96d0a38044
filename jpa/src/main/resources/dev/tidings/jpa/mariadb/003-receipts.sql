-- A receipt may be pending: then it names what its answer will come of. The status tells an answer without bytes from none.
alter table tidings_receipt add column if not exists status integer;
alter table tidings_receipt add column if not exists reference varchar(255);
