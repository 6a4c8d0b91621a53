//! The stories of the store once more, told on PostgreSQL: one cluster for all of them, which is started here, and a
//! database for each. Where the machine had no PostgreSQL when they were built, one test says so and is counted as ignored
//! (`tests/build.rs`); where `CI` is set, they fail.

#[cfg(has_postgresql)]
mod allowances;
#[cfg(has_postgresql)]
mod brought_back;
#[cfg(has_postgresql)]
#[path = "../catalogs.rs"]
mod catalogs;
#[cfg(has_postgresql)]
mod changed_by_hand;
#[cfg(has_postgresql)]
#[path = "../changes.rs"]
mod changes;
#[cfg(has_postgresql)]
mod checked_index;
#[cfg(has_postgresql)]
mod chores;
#[cfg(has_postgresql)]
mod clocks;
#[cfg(has_postgresql)]
#[path = "../copies.rs"]
mod copies;
#[cfg(has_postgresql)]
mod cut_off;
#[cfg(has_postgresql)]
#[path = "../daily_counts.rs"]
mod daily_counts;
#[cfg(has_postgresql)]
mod decided_beside_writes;
#[cfg(has_postgresql)]
#[path = "../deliveries.rs"]
mod deliveries;
#[cfg(has_postgresql)]
mod dropped_moves;
#[cfg(has_postgresql)]
mod engines;
#[cfg(has_postgresql)]
#[path = "../files.rs"]
mod files;
#[cfg(has_postgresql)]
#[path = "../finder.rs"]
mod finder;
#[cfg(has_postgresql)]
mod held_contents;
#[cfg(has_postgresql)]
mod index_format;
#[cfg(has_postgresql)]
mod index_rows;
#[cfg(has_postgresql)]
mod isolation;
#[cfg(has_postgresql)]
#[path = "../issued.rs"]
mod issued;
#[cfg(has_postgresql)]
#[path = "../job_queue.rs"]
mod job_queue;
#[cfg(has_postgresql)]
#[path = "../jobs.rs"]
mod jobs;
#[cfg(has_postgresql)]
mod judged_at_once;
#[cfg(has_postgresql)]
#[path = "../keys.rs"]
mod keys;
#[cfg(has_postgresql)]
mod large_among_small;
mod later_migration;
#[cfg(has_postgresql)]
mod left_copies;
#[cfg(has_postgresql)]
mod left_jobs;
#[cfg(has_postgresql)]
#[path = "../lifecycle.rs"]
mod lifecycle;
#[cfg(has_postgresql)]
mod locked;
#[cfg(has_postgresql)]
mod locks_in_order;
#[cfg(has_postgresql)]
#[path = "../log.rs"]
mod log;
#[cfg(has_postgresql)]
mod many_datasets;
#[cfg(has_postgresql)]
#[path = "../model.rs"]
mod model;
#[cfg(has_postgresql)]
mod newer_step;
#[cfg(has_postgresql)]
#[path = "../newest.rs"]
mod newest;
#[cfg(has_postgresql)]
#[path = "../nouns.rs"]
mod nouns;
#[cfg(has_postgresql)]
mod orphans;
#[cfg(has_postgresql)]
#[path = "../overtaken.rs"]
mod overtaken;
#[cfg(has_postgresql)]
#[path = "../overtaken_codes.rs"]
mod overtaken_codes;
#[cfg(has_postgresql)]
mod overtaken_index;
#[cfg(has_postgresql)]
#[path = "../pages.rs"]
mod pages;
#[cfg(has_postgresql)]
mod past_of_many;
#[cfg(has_postgresql)]
mod past_states;
#[cfg(has_postgresql)]
mod placed;
#[cfg(has_postgresql)]
mod planned;
#[cfg(has_postgresql)]
#[path = "../races.rs"]
mod races;
#[cfg(has_postgresql)]
#[path = "../recent.rs"]
mod recent;
#[cfg(has_postgresql)]
#[path = "../reopening.rs"]
mod reopening;
#[cfg(has_postgresql)]
mod repeats;
#[cfg(has_postgresql)]
#[path = "../retention.rs"]
mod retention;
#[cfg(has_postgresql)]
mod scripts;
#[cfg(has_postgresql)]
#[path = "../search.rs"]
mod search;
#[cfg(has_postgresql)]
#[path = "../search_counts.rs"]
mod search_counts;
#[cfg(has_postgresql)]
#[path = "../search_facts_model.rs"]
mod search_facts_model;
#[cfg(has_postgresql)]
#[path = "../search_few.rs"]
mod search_few;
#[cfg(has_postgresql)]
#[path = "../search_many.rs"]
mod search_many;
#[cfg(has_postgresql)]
#[path = "../search_model.rs"]
mod search_model;
#[cfg(has_postgresql)]
#[path = "../search_names.rs"]
mod search_names;
#[cfg(has_postgresql)]
mod searches_beside_writes;
#[cfg(has_postgresql)]
mod sent;
#[cfg(has_postgresql)]
mod shards;
#[cfg(has_postgresql)]
mod silent_connections;
#[cfg(has_postgresql)]
#[cfg(has_postgresql)]
#[path = "../test_dataset.rs"]
mod test_dataset;
#[cfg(has_postgresql)]
mod together;
#[cfg(has_postgresql)]
#[path = "../trails.rs"]
mod trails;
#[cfg(has_postgresql)]
mod two_servers;
#[cfg(has_postgresql)]
mod two_services;
#[cfg(has_postgresql)]
mod waiting_steps;

#[cfg(not(has_postgresql))]
#[test]
#[ignore = "there is no PostgreSQL: install Debian's package `postgresql`, then touch tests/build.rs"]
fn the_stories_of_the_store_are_told_on_postgresql() {
    panic!("there was no PostgreSQL when this was built");
}
