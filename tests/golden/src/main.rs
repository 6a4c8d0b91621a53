//! Freezes what the programs say into a folder, and compares two such folders.

mod commits;
mod compare;
mod exports;
mod freeze;
mod help;
mod http;
mod normal;
mod pages;
mod refusals;
mod schemas;
mod server;
mod session;
mod store;
mod verdicts;

use clap::Parser;
use std::{io, path::PathBuf, process::ExitCode};

#[derive(Parser)]
#[command(about = "Freeze what the programs say, and compare two frozen folders")]
enum Command {
    /// Write what the built programs say into a new folder
    Freeze {
        /// The folder to write; it must not exist
        #[arg(default_value = "target/golden/new")]
        out: PathBuf,
        /// The folder of the built programs
        #[arg(long, default_value = "target/debug")]
        programs: PathBuf,
        /// The folder of schemas and cases to try
        #[arg(long, default_value = "fixtures")]
        fixtures: PathBuf,
    },
    /// Compare two frozen folders; the exit code is 1 when anything differs
    Compare {
        /// The older folder
        old: PathBuf,
        /// The newer folder
        new: PathBuf,
        /// Print at most this many diffs
        #[arg(long, default_value_t = 50)]
        limit: usize,
    },
    /// Build the programs of two commits, freeze both and compare them
    Commits {
        /// The older commit
        old: String,
        /// The newer commit
        new: String,
        /// The folder of schemas and cases to try
        #[arg(long, default_value = "fixtures")]
        fixtures: PathBuf,
        /// Print at most this many diffs
        #[arg(long, default_value_t = 50)]
        limit: usize,
    },
}

fn main() -> ExitCode {
    let print = |found: compare::Found, limit| {
        found.print(limit, &mut io::stdout().lock())?;
        Ok(found.is_same())
    };
    let done = match Command::parse() {
        Command::Freeze {
            out,
            programs,
            fixtures,
        } => freeze::freeze(&out, &programs, &fixtures).map(|()| true),
        Command::Compare { old, new, limit } => {
            compare::compare(&old, &new).and_then(|found| print(found, limit))
        }
        Command::Commits {
            old,
            new,
            fixtures,
            limit,
        } => commits::compare(&old, &new, &fixtures).and_then(|found| print(found, limit)),
    };
    match done {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(1),
        Err(error) => {
            eprintln!("golden: {error}");
            ExitCode::from(2)
        }
    }
}
