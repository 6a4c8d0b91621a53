//! Guards of the house itself: floors only look down, nothing sees itself in a circle, files and functions
//! stay small, every room says what it is for, what is cited is there, every dependency says why it is
//! there, generated types stay light, no story passes that is not told, no database is started that forgets, no step of the
//! tables is changed.

mod asked_engines;
mod browser;
mod capacity;
mod circles;
mod citations;
mod citus_tables;
mod colours;
mod dependencies;
mod durable;
mod every_page;
mod floors_of_packages;
mod moved_tables;
mod one_shard;
mod pages;
mod portable_sql;
mod readme;
mod seen_values;
mod sentences;
mod sizes;
mod sources;
mod steps;
mod stories;
mod templates;
mod told;
