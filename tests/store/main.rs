//! Stories that hold every engine to the contracts of records, catalog, files and search index. They
//! name no engine; what only one engine has (its files, its ways to fail) is told in a room of its own.

mod catalogs;
mod changes;
mod copies;
mod daily_counts;
mod deliveries;
mod engines;
mod files;
mod finder;
mod issued;
mod job_queue;
mod jobs;
mod keys;
mod lifecycle;
mod log;
mod model;
mod newest;
mod nouns;
mod overtaken;
mod overtaken_codes;
mod pages;
mod races;
mod recent;
mod reopening;
mod retention;
mod search;
mod search_counts;
mod search_facts_model;
mod search_few;
mod search_many;
mod search_model;
mod search_names;
mod sqlite;
mod test_dataset;
mod trails;
