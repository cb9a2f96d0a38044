-- As what a signer acts, and since when it may not any more: a revocation is remembered, so that what was issued before it
-- authorises nobody again.

alter table tidings_signer add column if not exists role varchar(16) default 'agent' not null;
alter table tidings_signer add column if not exists revoked_at bigint;
