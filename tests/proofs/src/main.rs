//! Proofs of the program, each one command: it is killed, its power is cut, its disk fails and fills up, its database is
//! killed, replaced or silent, and clients that kept what they were told compare. A proof that does not hold ends with what
//! was found, and leaves the folder.

#[path = "../../support/cargo.rs"]
#[allow(unreachable_pub, reason = "made for suites too")]
mod cargo;
#[path = "../../support/cluster.rs"]
#[allow(dead_code, unreachable_pub, reason = "made for other programs too")]
mod cluster;
mod cuts;
mod database;
mod database_kills;
mod deployment;
mod disk;
#[path = "../../support/ends.rs"]
#[allow(unreachable_pub, reason = "made for suites too")]
mod ends;
mod failing;
mod failover;
mod full;
mod ground;
mod histories;
mod http;
mod jobs;
mod kills;
mod ledger;
mod pair;
#[path = "../../support/postgresql_programs.rs"]
mod postgresql_programs;
#[path = "../../support/processes.rs"]
mod processes;
mod program;
mod progress;
#[path = "../../support/replication.rs"]
mod replication;
mod report;
mod rounds;
mod silence;
mod verify;
mod watch;
#[path = "../../support/way.rs"]
mod way;
mod writer;
mod writers;

use anyhow::Context as _;
use clap::{Parser, Subcommand};
use program::Program;
use rounds::Rounds;
use std::path::PathBuf;
use std::time::Duration;

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
        /// Of two servers on a PostgreSQL that is started for them, of that one, and of one of its sessions; without jobs and
        /// backups
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
        /// The address of an empty database of others, which the servers are on; it is not started, and keeps what they wrote
        #[arg(long, value_name = "URL")]
        database: Option<String>,
    },
    /// Failovers of two servers from one PostgreSQL, which is killed, to its standby; both are started for them
    Failover {
        /// How often
        #[arg(long, default_value_t = 100)]
        rounds: u64,
    },
    /// Silences of the network between two servers and a PostgreSQL that is started for them
    Silence {
        /// How often
        #[arg(long, default_value_t = 100)]
        rounds: u64,
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
        | Proof::Failover { rounds }
        | Proof::Silence { rounds }
        | Proof::Failing { rounds } => rounds,
    };
    let rounds = Rounds::begin(&program, &folder, (count, seed));
    let report = match proof {
        Proof::Kills { database: true, .. } => database_kills::run(&rounds)?,
        Proof::Kills { .. } => kills::run(&rounds)?,
        Proof::Cuts { .. } => cuts::run(&rounds)?,
        Proof::Full { .. } => full::run(&rounds)?,
        Proof::Histories {
            life,
            servers,
            database,
            ..
        } => {
            let shape = histories::Shape {
                servers: usize::from(servers),
                life: Duration::from_millis(life),
                database: database.as_deref(),
            };
            histories::run(&rounds, shape)?
        }
        Proof::Failover { .. } => failover::run(&rounds)?,
        Proof::Silence { .. } => silence::run(&rounds)?,
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
