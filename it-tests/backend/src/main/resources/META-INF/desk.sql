create table if not exists ticket (id varchar(64) not null primary key, session_id varchar(255) not null, subject varchar(1000) not null);
