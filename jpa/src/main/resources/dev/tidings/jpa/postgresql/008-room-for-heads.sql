-- Heads change with each append. With room beside it a row's next version stays on its page, and no index has to know of it.

alter table tidings_head set (fillfactor = 40);
alter table tidings_feed_head set (fillfactor = 40);
