//! The stories of the store once more, told on PostgreSQL: one cluster for all of them, which is started here, and a
//! database for each. Where the machine has no PostgreSQL they say so and tell nothing; where `CI` is set, they fail.

#[path = "../catalogs.rs"]
mod catalogs;
#[path = "../changes.rs"]
mod changes;
#[path = "../copies.rs"]
mod copies;
mod engines;
#[path = "../files.rs"]
mod files;
#[path = "../issued.rs"]
mod issued;
#[path = "../jobs.rs"]
mod jobs;
#[path = "../keys.rs"]
mod keys;
#[path = "../lifecycle.rs"]
mod lifecycle;
#[path = "../log.rs"]
mod log;
#[path = "../model.rs"]
mod model;
#[path = "../newest.rs"]
mod newest;
#[path = "../nouns.rs"]
mod nouns;
#[path = "../overtaken.rs"]
mod overtaken;
#[path = "../pages.rs"]
mod pages;
#[path = "../races.rs"]
mod races;
#[path = "../reopening.rs"]
mod reopening;
#[path = "../retention.rs"]
mod retention;
#[path = "../test_dataset.rs"]
mod test_dataset;
#[path = "../trails.rs"]
mod trails;
