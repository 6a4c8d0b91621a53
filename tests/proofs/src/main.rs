//! Proofs of the program, each one command: it is killed, its power is cut, its disk fails and fills up, and clients that
//! kept what they were told compare. A proof that does not hold ends with what was found, and leaves the folder.

#[path = "../../support/cluster.rs"]
#[allow(dead_code, unreachable_pub, reason = "made for other programs too")]
mod cluster;
mod cuts;
mod database;
mod database_kills;
mod disk;
mod failing;
mod full;
mod ground;
mod histories;
mod http;
mod jobs;
mod kills;
mod ledger;
#[path = "../../support/postgresql_programs.rs"]
mod postgresql_programs;
mod program;
mod report;
mod rounds;
mod verify;
mod writers;

use anyhow::Context as _;
use clap::{Parser, Subcommand};
use program::Program;
use rounds::Rounds;
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// Proves that the program keeps what it acknowledged.
#[derive(Parser)]
#[command(name = "proofs", max_term_width = 100)]
struct Arguments {
    #[command(subcommand)]
    asked: Asked,

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

/// A proof, or what proofs are made on.
#[derive(Subcommand)]
enum Asked {
    #[command(flatten)]
    Proof(Proof),
    /// No proof: a PostgreSQL with an empty database, whose address is told; it ends with standard input
    Database,
}

#[derive(Subcommand)]
enum Proof {
    /// Kills under load, with jobs and backups under way
    Kills {
        /// How often
        #[arg(long, default_value_t = 1_000)]
        rounds: u64,
        /// Of two servers on a PostgreSQL that is started for them, and of that one; without jobs and backups
        #[arg(long)]
        database: bool,
    },
    /// Power cuts, on a disk that keeps a record of writes and syncs
    Cuts {
        /// How often
        #[arg(long, default_value_t = 200)]
        rounds: u64,
    },
    /// Full disks, on small file systems
    Full {
        /// How often
        #[arg(long, default_value_t = 100)]
        rounds: u64,
    },
    /// Histories of many clients on a few keys, each of which must have one order
    Histories {
        /// Lives of the server, each ended by a kill
        #[arg(long, default_value_t = 100)]
        rounds: u64,
        /// Milliseconds of a life
        #[arg(long, default_value_t = 1_000)]
        life: u64,
        /// Servers at a time; more than one are on a PostgreSQL that is started for them
        #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u8).range(1..=8))]
        servers: u8,
    },
    /// Failing I/O, on the same disk
    Failing {
        /// How often
        #[arg(long, default_value_t = 500)]
        rounds: u64,
    },
}

fn main() -> anyhow::Result<()> {
    let arguments = Arguments::parse();
    let proof = match arguments.asked {
        Asked::Proof(proof) => proof,
        Asked::Database => return database::lend(),
    };
    let program = Program::find(arguments.program.as_deref())?;
    let seed = arguments.seed.unwrap_or_else(|| fastrand::u64(..1 << 32));
    std::fs::create_dir_all(&arguments.folder)?;
    let folder = arguments.folder.canonicalize()?;
    let folder = folder.join(format!("proof-{}", std::process::id()));
    eprintln!("seed {seed}, in {}", folder.display());
    let count = match proof {
        Proof::Kills { rounds, .. }
        | Proof::Cuts { rounds }
        | Proof::Full { rounds }
        | Proof::Histories { rounds, .. }
        | Proof::Failing { rounds } => rounds,
    };
    let rounds = Rounds {
        program: &program,
        folder: &folder,
        count,
        seed,
        began: Instant::now(),
    };
    let report = match proof {
        Proof::Kills { database: true, .. } => database_kills::run(&rounds)?,
        Proof::Kills { .. } => kills::run(&rounds)?,
        Proof::Cuts { .. } => cuts::run(&rounds)?,
        Proof::Full { .. } => full::run(&rounds)?,
        Proof::Histories { life, servers, .. } => {
            let life = Duration::from_millis(life);
            let servers = usize::from(servers);
            histories::run(&rounds, histories::Shape { servers, life })?
        }
        Proof::Failing { .. } => failing::run(&rounds)?,
    };
    println!("{report}");
    match std::fs::remove_dir_all(&folder) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            Err(error).context("the folder stays")
        }
        _ => Ok(()),
    }
}
