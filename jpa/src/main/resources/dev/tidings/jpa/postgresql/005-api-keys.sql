-- The API keys that are valid, by their digests; a revoked one has no row. scope_id is empty for what sees everything.

create table if not exists tidings_api_key (
    id varchar(255) collate "C" not null primary key,
    label bytea not null,
    scope_kind varchar(16) collate "C" not null,
    scope_id varchar(255) collate "C" not null,
    digest bytea not null,
    created_at bigint not null
);
