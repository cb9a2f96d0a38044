-- The feed: one rising row of numbers over the entries of all sessions. Its head is locked by whoever numbers; leader is the
-- node that looks after what no node told of. Rows are never changed, and outlive the entries of a deleted session.

create table if not exists tidings_feed_head (
    id smallint not null primary key,
    next_seq bigint not null,
    place bigint not null,
    leader varchar(255) not null,
    lease_until bigint not null
);
insert into tidings_feed_head (id, next_seq, place, leader, lease_until)
    select 1, 1, 0, '', 0 from (select 1 as one) x
    where not exists (select 1 from tidings_feed_head);

create table if not exists tidings_feed (
    place bigint not null primary key,
    seq bigint not null,
    stream_id varchar(255) not null,
    position bigint not null,
    agent_id varchar(255) not null
);
create unique index if not exists tidings_feed_seq on tidings_feed (seq);
create unique index if not exists tidings_feed_stream on tidings_feed (stream_id, position);
