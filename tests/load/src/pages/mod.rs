//! Pages of the application on a large dataset, one of a hundred, as a steward asks for them: signed in, one after another on
//! one connection. A few percent of the records are faulty, some are deleted. It compares with nothing; the table tells the
//! middle and the slowest of a hundred, which fails the run where it is slower than it may be.

mod kind;
mod of_data;
mod of_management;
mod past;
mod steward;
mod store;
mod table;

use crate::digits::grouped;
use crate::machine;
use crate::program::{Cores, Running};
use crate::seed::fieldstone;
use anyhow::ensure;
use clap::Args;
use kind::Kind;
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;
use steward::Steward;
use table::{HEAD, row};

/// What the slowest page of a hundred may take.
const P99_MAX: Duration = Duration::from_millis(50);

/// How much there is, and how often it is asked for.
#[derive(Args, Clone, Copy)]
pub(crate) struct Options {
    /// Records of the dataset
    #[arg(long, default_value_t = 1_000_000, value_parser = clap::value_parser!(u64).range(200..=5_000_000))]
    of: u64,

    /// How often each page is asked for
    #[arg(long, default_value_t = 1_000, value_parser = clap::value_parser!(u64).range(10..=100_000))]
    asked: u64,
}

/// All kinds of pages, in the order in which they are asked for.
fn kinds() -> impl Iterator<Item = &'static Kind> {
    of_data::KINDS.iter().chain(of_management::KINDS)
}

/// Fills a store, asks for pages, prints the table.
pub(crate) async fn run(
    program: &Path,
    folder: &Path,
    cores: Cores,
    options: Options,
) -> anyhow::Result<()> {
    store::make(program, folder)?;
    let running = serve(program, folder, cores)?;
    past::make(running.address).await?;
    running.stop()?;
    store::import(program, folder, options.of)?;
    let running = serve(program, folder, cores)?;
    let mut steward = Steward::sign_in(running.address, options.of).await?;
    steward.learn().await?;
    steward.wait_for_index().await?;
    steward.delete_some().await?;
    println!("{HEAD}");
    let mut slow = Vec::new();
    for kind in kinds() {
        let mut all = Vec::new();
        for turn in 0..options.asked {
            all.push(steward.ask(kind, turn).await?);
        }
        all.sort_unstable();
        let at = |share: usize| all[(all.len() - 1) * share / 100];
        println!("{}", row(kind.what, at(50), at(99)));
        if at(99) > P99_MAX {
            slow.push(kind.what);
        }
    }
    running.stop()?;
    println!(
        "\nIn milliseconds, of {} records; {} of each, one after another on one connection, with the session's cookie; records and words by chance, pages of the grid as they follow one another. {}.",
        grouped(options.of),
        grouped(options.asked),
        machine::memory_and_kernel()?
    );
    // a debug build is rehearsed with, and is as slow as it is
    ensure!(
        slow.is_empty() || cfg!(debug_assertions),
        "slower than {} ms, which a page may take: {}",
        P99_MAX.as_millis(),
        slow.join(", ")
    );
    Ok(())
}

/// Serves the store.
fn serve(program: &Path, folder: &Path, cores: Cores) -> anyhow::Result<Running> {
    let mut serve = fieldstone(program, folder, None);
    serve.args(["--log", "error", "serve", "--listen", "127.0.0.1:0"]);
    serve.stderr(Stdio::null());
    Running::start(serve, cores)
}
