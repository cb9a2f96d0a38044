-- The API keys that are valid, by their digests; a revoked one has no row. scope_id is empty for what sees everything.

create table if not exists tidings_api_key (
    id varchar(255) not null primary key,
    label longblob not null,
    scope_kind varchar(16) not null,
    scope_id varchar(255) not null,
    digest longblob not null,
    created_at bigint not null
) engine = InnoDB default character set utf8mb4 collate utf8mb4_nopad_bin;
