-- Run trees: each run has a right of its own to write to a stream; children are counted, not written down; approvals;
-- requests to cancel a run that another node works on.

-- Which attempt of a run may write to a stream; a right that has ended stays, so that nothing opens it again.
create table if not exists tidings_fence (
    stream_kind varchar(4) collate "C" not null,
    stream_id varchar(255) collate "C" not null,
    run_id varchar(255) collate "C" not null,
    attempt bigint not null,
    ended smallint not null,
    primary key (stream_kind, stream_id, run_id)
);

-- A head had one right. The columns are made again for a script that was cut behind their end.
alter table tidings_head add column if not exists fence_run_id varchar(255) collate "C";
alter table tidings_head add column if not exists fence_attempt bigint;
insert into tidings_fence (stream_kind, stream_id, run_id, attempt, ended)
    select h.stream_kind, h.stream_id, h.fence_run_id, h.fence_attempt, 0 from tidings_head h
    where h.fence_run_id is not null and not exists (select 1 from tidings_fence f
        where f.stream_kind = h.stream_kind and f.stream_id = h.stream_id and f.run_id = h.fence_run_id);
alter table tidings_head drop column if exists fence_run_id;
alter table tidings_head drop column if exists fence_attempt;

alter table tidings_session drop column if exists child_session_count;
create index if not exists tidings_session_parent on tidings_session (parent_session_id) where parent_session_id is not null;
alter table tidings_run drop column if exists child_run_count;
create index if not exists tidings_run_parent on tidings_run (parent_run_id) where parent_run_id is not null;
alter table tidings_run add column if not exists cancel_asked smallint default 0 not null;
create index if not exists tidings_run_owner on tidings_run (owner_node, cancel_asked);

create table if not exists tidings_approval (
    id varchar(255) collate "C" not null primary key,
    session_id varchar(255) collate "C" not null,
    run_id varchar(255) collate "C" not null,
    tool_call_id bytea not null,
    name bytea not null,
    status varchar(16) collate "C" not null,
    created_at bigint not null,
    expires_at bigint not null,
    decided_at bigint
);
create index if not exists tidings_approval_run on tidings_approval (run_id, status);
