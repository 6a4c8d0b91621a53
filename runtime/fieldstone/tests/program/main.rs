//! The program as its users run it: real folders, real connections, and a process wherever one is needed.

mod alerts;
mod apply;
mod backup;
mod bad_disk;
mod bindings;
mod changes;
mod check;
mod cities;
mod closed_folder;
mod compact;
mod confinement;
mod connections;
mod copies;
mod credentials;
mod data;
mod data_options;
mod demo_customers;
mod deployment_files;
mod deployments;
mod early_answers;
#[path = "../../../../tests/support/ends.rs"]
#[allow(unreachable_pub, reason = "made for the suites too")]
mod ends;
mod error_codes;
mod exits;
mod export;
mod failed_init;
mod fields;
#[cfg(unix)]
mod file_length_limit;
mod follower;
mod formats;
mod import_files;
mod import_options;
mod in_process;
mod index;
#[cfg(target_os = "linux")]
mod indexer_thread;
mod job_files;
mod jobs;
mod killed_commands;
mod killed_jobs;
mod large_manifest;
mod listeners;
mod lost_secrets;
mod manifest_page;
mod manual;
#[cfg(target_os = "linux")]
mod memory;
mod metrics;
mod museum;
mod named_stores;
mod nouns;
mod operations;
mod package;
mod pages_path;
#[cfg(unix)]
mod pipes;
mod private_files;
mod purged;
mod read_only;
mod reapply;
mod receiver;
mod rejects;
mod remote;
mod repairs;
mod restored;
mod s3;
mod scrape;
mod serve;
mod serve_settings;
mod settings;
mod shell;
mod signing_secret;
mod stewards;
mod stopped;
mod stopped_backups;
#[path = "../../../../tests/support/s3.rs"]
#[allow(dead_code, reason = "made for the stories of files too")]
mod storage;
mod support;
#[cfg(target_os = "linux")]
mod terminal;
mod tls;
mod told_settings;
mod traces;
mod transcript;
mod walk;
mod webhooks;
mod yaml;
