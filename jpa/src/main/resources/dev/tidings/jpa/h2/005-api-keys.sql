-- The API keys that are valid, by their digests; a revoked one has no row. scope_id is empty for what sees everything.

create table if not exists tidings_api_key (
    id varchar(255) not null primary key,
    label varbinary(67108864) not null,
    scope_kind varchar(16) not null,
    scope_id varchar(255) not null,
    digest varbinary(67108864) not null,
    created_at bigint not null
);
