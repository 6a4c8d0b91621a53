//! The program: it reads settings, opens the store of a data folder, and either serves it or does one
//! thing to it. Clock and chance are made here and passed in. What things mean, the service knows.

// a command's future holds those of all floors below it; how deep they are is asked for only where they are optimized
#![recursion_limit = "256"]

mod arguments;
mod backup;
mod bucket_options;
mod certificate_end;
mod coalesce;
mod commands;
mod connection_limits;
mod control;
mod database_options;
mod dataset_path;
mod demo;
mod demo_customers;
mod deployment;
mod engine;
mod failure;
mod file_length_limit;
mod file_options;
mod folder_entries;
mod growth;
mod hearing;
mod hex;
mod io;
mod job_report;
mod job_watch;
mod lingering;
mod listener;
mod logs;
mod memory_limit;
mod metrics;
mod metrics_recorder;
mod moving;
mod out_file;
mod output;
mod outside;
mod owner;
mod pieces;
mod plain_links;
mod private_files;
mod record_files;
mod rejects;
mod reload;
mod secret_input;
mod settings;
mod settings_file;
mod signing_secrets;
mod slow_reader;
mod standard_input;
mod standard_output;
mod stop_signal;
mod stream_hooks;
mod time_bounds;
mod tls;
mod told_settings;
mod traces;
mod unprinted_secrets;
#[cfg(unix)]
mod unread_page;
mod watch;
mod web_address;
mod webhook_options;
mod welcome;

use arguments::Arguments;
use clap::CommandFactory as _;
use commands::{
    Command, apply, check, client, init, key, manual, openapi, secret, serve, tenant, user,
};
use standard_output::is_unread;
use std::ffi::OsString;
use std::process::ExitCode;

pub use io::Io;

/// Sets what holds for the whole process. For its first moments, before there is another thread.
pub fn set_up_process() {
    private_files::close_to_others();
    file_length_limit::have_writes_fail();
}

/// Runs the program with a command line, of which the first word is its name.
pub fn run(arguments: impl IntoIterator<Item = OsString>, io: Io) -> ExitCode {
    let _entered = io.enter();
    let words: Vec<OsString> = arguments.into_iter().collect();
    let arguments = match arguments::read(&words) {
        Ok(arguments) => arguments,
        Err(error) => return arguments::refuse(&error, &words),
    };
    let format = arguments.common.format;
    let only_shows = arguments.command.only_shows();
    match run_command(arguments) {
        Ok(code) => code,
        // who reads the output has seen enough, as `head` does
        Err(error) if only_shows && is_unread(&error) => ExitCode::SUCCESS,
        Err(error) => {
            let failure = failure::of(&error);
            failure::tell_all(&failure, format);
            failure::exit(&failure).into()
        }
    }
}

fn run_command(arguments: Arguments) -> anyhow::Result<ExitCode> {
    let Arguments {
        common,
        command,
        secret_settings,
    } = arguments;
    // before there is any other thread
    #[cfg(unix)]
    if io::is_of_process() {
        unread_page::tell()?;
    }
    let (is_server, traces) = match &command {
        Command::Serve(options) => (true, options.traces.traces()),
        _ => (false, None),
    };
    let _flush = logs::start(&common, is_server, traces.as_ref())?;
    if let Some(traces) = &traces {
        let links = common.plain_links;
        links.require("--traces-to", &traces.collector, "traces travel")?;
    }
    if let Some(file) = &secret_settings {
        private_files::warn_if_readable_by_all("settings file", file);
    }
    let mut threads = tokio::runtime::Builder::new_multi_thread();
    io::share(&mut threads);
    threads.enable_all().build()?.block_on(async {
        match command {
            Command::Serve(options) => serve::run(&common, *options).await,
            Command::Init(options) => init::run(&common, options).await,
            Command::Apply(options) => apply::run(&common, options).await,
            Command::Manifest(verb) => commands::manifest::run(&common, verb).await,
            Command::Import(options) => commands::import::run(&common, *options).await,
            Command::Export(options) => commands::export::run(&common, *options).await,
            Command::Repair(options) => commands::repair::run(&common, *options).await,
            Command::Jobs(verb) => commands::jobs::run(&common, *verb).await,
            Command::Key(verb) => key::run(&common, verb).await,
            Command::Client(verb) => client::run(&common, verb).await,
            Command::User(verb) => user::run(&common, verb).await,
            Command::Tenant(verb) => tenant::run(&common, verb).await,
            Command::Secret(verb) => secret::run(&common, verb).await,
            Command::Index(verb) => commands::index::run(&common, verb).await,
            Command::Check(options) => check::run(&common, *options).await,
            Command::Backup(options) => commands::backup::run(&common, *options).await,
            Command::Restore(options) => commands::restore::run(&common, *options).await,
            Command::Migrate => commands::migrate::run(&common).await,
            Command::Move(options) => commands::move_store::run(&common, *options).await,
            Command::Compact => commands::compact::run(&common).await,
            Command::Health => commands::health::run(&common).await,
            Command::Openapi => openapi::run(),
            Command::Completions(options) => manual::completions(&options, Arguments::command()),
            Command::Man(options) => manual::pages(&options, Arguments::command(), &common.data),
        }
    })
}
