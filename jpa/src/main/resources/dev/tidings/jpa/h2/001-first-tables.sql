-- The first tables. No table refers to another by a foreign key: an insert must not wait for a row that somebody holds.
-- Free text and JSON are bytes: PostgreSQL's text cannot hold NUL, and a varchar has a length.

create table if not exists tidings_epoch (
    id smallint not null primary key,
    epoch varchar(64) not null,
    dialect varchar(16) not null
);

create table if not exists tidings_agent (
    id varchar(255) not null primary key,
    account varchar(255) not null,
    definition varbinary(67108864) not null,
    state_dir varbinary(67108864),
    status varchar(16) not null,
    created_at bigint not null,
    updated_at bigint not null,
    public_read smallint not null,
    version bigint not null
);
create index if not exists tidings_agent_account on tidings_agent (account, created_at);

create table if not exists tidings_collaborator (
    agent_id varchar(255) not null,
    account_id varchar(255) not null,
    role varchar(16) not null,
    status varchar(16) not null,
    created_at bigint not null,
    updated_at bigint not null,
    primary key (agent_id, account_id)
);
create index if not exists tidings_collaborator_account on tidings_collaborator (account_id, status);

create table if not exists tidings_signer (
    account_id varchar(255) not null,
    signer_id varchar(255) not null,
    created_at bigint not null,
    primary key (account_id, signer_id)
);

create table if not exists tidings_session (
    id varchar(255) not null primary key,
    account varchar(255) not null,
    agent_id varchar(255) not null,
    title varbinary(67108864),
    status varchar(16) not null,
    created_at bigint not null,
    updated_at bigint not null,
    started_by_trigger varbinary(67108864),
    parent_session_id varchar(255),
    run_id varchar(255),
    plan varbinary(67108864),
    child_session_count bigint not null,
    model_override varbinary(67108864),
    description varbinary(67108864),
    version bigint not null
);
create index if not exists tidings_session_agent on tidings_session (agent_id, updated_at, id);

create table if not exists tidings_run (
    id varchar(255) not null primary key,
    account varchar(255) not null,
    root_run_id varchar(255) not null,
    parent_run_id varchar(255),
    parent_tool_call_id varbinary(67108864),
    depth bigint not null,
    child_run_count bigint not null,
    kind varchar(16) not null,
    agent_id varchar(255),
    session_id varchar(255),
    origin varchar(16) not null,
    title varbinary(67108864) not null,
    status varchar(16) not null,
    details varbinary(67108864),
    usage_input bigint,
    usage_output bigint,
    usage_cache_read bigint,
    usage_cache_write bigint,
    usage_total bigint,
    created_at bigint not null,
    started_at bigint,
    finished_at bigint,
    updated_at bigint not null,
    version bigint not null,
    owner_node varchar(255),
    attempt bigint not null
);
create index if not exists tidings_run_tree on tidings_run (root_run_id, created_at);
create index if not exists tidings_run_session on tidings_run (session_id, created_at);
create index if not exists tidings_run_agent on tidings_run (agent_id, created_at);
create index if not exists tidings_run_status on tidings_run (status);

create table if not exists tidings_node (
    id varchar(255) not null primary key,
    lease_until bigint not null
);

-- How far a stream reaches and who may write to it as a run. A stream exists if and only if it has a row here.
create table if not exists tidings_head (
    stream_kind varchar(4) not null,
    stream_id varchar(255) not null,
    position bigint not null,
    seq bigint not null,
    fence_run_id varchar(255),
    fence_attempt bigint,
    agent_id varchar(255) not null,
    primary key (stream_kind, stream_id)
);

-- The entries of sessions (s) and run trees (r). seq is 0 for what is not numbered; seq_scope is the run in a run tree
-- and empty in a session; agent_id and origin are empty for what no rollup shows.
create table if not exists tidings_entry (
    stream_kind varchar(4) not null,
    stream_id varchar(255) not null,
    position bigint not null,
    seq_scope varchar(255) not null,
    seq bigint not null,
    id varchar(255) not null,
    kind varchar(16) not null,
    payload varbinary(67108864) not null,
    payload_size bigint not null,
    run_id varchar(255) not null,
    created_at bigint not null,
    agent_id varchar(255) not null,
    origin varchar(16) not null,
    message smallint not null,
    primary key (stream_kind, stream_id, position)
);
create index if not exists tidings_entry_seq on tidings_entry (stream_kind, stream_id, seq_scope, seq);
create index if not exists tidings_entry_activity on tidings_entry (agent_id, message, created_at, position);

-- The first answer to a command, for whoever repeats it.
create table if not exists tidings_receipt (
    account_id varchar(255) not null,
    command_id varchar(255) not null,
    digest varbinary(67108864) not null,
    response varbinary(67108864),
    created_at bigint not null,
    expires_at bigint not null,
    primary key (account_id, command_id)
);
create index if not exists tidings_receipt_expiry on tidings_receipt (expires_at);
