//! Proofs of the program, each one command: it is killed, its power is cut, its disk fails and fills up, and clients that
//! kept what they were told compare. A proof that does not hold ends with what was found, and leaves the folder.

mod ground;
mod http;
mod jobs;
mod kills;
mod ledger;
mod program;
mod report;
mod verify;
mod writers;

use anyhow::Context as _;
use clap::{Parser, Subcommand};
use program::Program;
use std::path::PathBuf;

/// Proves that the program keeps what it acknowledged.
#[derive(Parser)]
#[command(name = "proofs", max_term_width = 100)]
struct Arguments {
    #[command(subcommand)]
    proof: Proof,

    /// The program, instead of building it
    #[arg(long, global = true)]
    program: Option<PathBuf>,

    /// Where fresh folders are made; removed at the end of a proof that held
    #[arg(long, global = true, default_value = "target")]
    folder: PathBuf,

    /// Where chance begins; chosen and printed unless given
    #[arg(long, global = true)]
    seed: Option<u64>,
}

#[derive(Subcommand)]
enum Proof {
    /// Kills under load, with jobs and backups under way
    Kills {
        /// How often
        #[arg(long, default_value_t = 1_000)]
        rounds: u64,
    },
}

fn main() -> anyhow::Result<()> {
    let arguments = Arguments::parse();
    let program = Program::find(arguments.program.as_deref())?;
    let seed = arguments.seed.unwrap_or_else(|| fastrand::u64(..1 << 32));
    std::fs::create_dir_all(&arguments.folder)?;
    let folder = arguments.folder.canonicalize()?;
    let folder = folder.join(format!("proof-{}", std::process::id()));
    eprintln!("seed {seed}, in {}", folder.display());
    let report = match arguments.proof {
        Proof::Kills { rounds } => kills::run(&program, &folder, rounds, seed)?,
    };
    println!("{report}");
    match std::fs::remove_dir_all(&folder) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            Err(error).context("the folder stays")
        }
        _ => Ok(()),
    }
}
