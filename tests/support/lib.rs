//! What the suites share. Begin here.
//!
//! **What a test sees.** The suites of the interface ask a real service over real HTTP: a listener on a free
//! port, a store in a folder of its own, nothing in between. A test begins with what its suite is about:
//!
//! | suite | begins with | which has |
//! | - | - | - |
//! | `api` | `TestServer` | two tenants, areas, schemas, datasets and credentials; their ids are its `names` |
//! | `files` | `FileSetup` | such a server, a place for files, a schema with each kind of file field |
//! | `search` | `SearchSetup` | such a server and a search index |
//! | `admin` | `AdminServer` | both doors, one tenant, the administrator `ada`; it keeps each answer it gave |
//! | `client` | `WatchedServer` | a layer in front that notes requests, or answers one instead |
//! | `store` | `each(\|folder\| …)` | a `StoreFolder` of each engine, and in it a `TestDataset` |
//!
//! **Callers.** Who calls is a credential. `server.request(…)` calls with `names.key`, which may do everything in
//! its area; `server.key(&grants, &permissions)` makes a key that may do less, for `.credential(…)`;
//! `server.anonymous(…)` has none. Management is asked with `server.root(…)`, the administrator's key, or with
//! `server.ask(credential, …)`.
//!
//! **How to ask.** `get`, `create`, `update`, `delete` and `by_key` ask about the first dataset and give the
//! answer; `created` (and `uploaded`) must succeed and gives what is now there. Everything else is put together,
//! `server.request("PUT", &path).header(…).json(body).send()`, and `raw::exchange` sends any bytes at all.
//!
//! **How answers are checked.** `is(201)` asserts the status and shows the body of any other.
//! `plain_error(403)` asserts an error of a `message` alone, `coded_error(400, "DUPLICATE_PRIMARY_KEY")` one with
//! `code` and `fields`, and gives the fields' names and texts. Behind the test's back each answer is held against
//! the OpenAPI document (`openapi_contract.rs`) and recorded ([`answers`]), so that `cargo run -p tests --bin
//! documented_answers` finds answers that no test received; what all operations refuse alike is asked of all
//! (`refusals.rs`).
//!
//! **Time and chance.** `server.clock` is a [`ManualClock`](clock::ManualClock): `forward(seconds)` sets it, and
//! each look is a millisecond later. Ids and secrets come from [`SeededEntropy`](clock::SeededEntropy), what a
//! test plays at random from [`SeededRng`](seeded_rng::SeededRng): a run is like the one before. The suite of
//! clients alone has the machine's clock, since clients have.
//!
//! ```text
//! let server = TestServer::start();
//! let city = server.created(r#"{"Code":"1","Name":"Aachen"}"#);
//! server.update(&city, r#"{"_version":0,"Name":"Aix"}"#).is(204);
//! server.by_key("2").is(404);
//! ```
//!
//! In this library stand the parts that know no HTTP: where the fixtures are and how their frames are read
//! ([`conformance`]), time and chance, a way to damage a store, a store that plays tricks ([`trick_store`]), an index that
//! can't be written ([`stuck_index`]), the log, a PostgreSQL of one's own ([`cluster`]), the end of who works beside a story
//! ([`ends`]), a cargo as a shell starts it ([`mod@cargo`]). It judges nothing.

pub mod answers;
pub mod cargo;
pub mod clock;
pub mod cluster;
pub mod conformance;
pub mod damage;
pub mod ends;
pub mod engine;
mod forged_rows;
pub mod log;
mod postgresql_programs;
mod processes;
pub mod seeded_rng;
pub mod stuck_index;
pub mod trick_store;

use std::fs;
use std::io::{self, ErrorKind, Read};
use std::path::{Path, PathBuf};

/// Reads what there is, as `read` does: a machine that was halted for a moment (SIGSTOP, a snapshot) interrupts a
/// read that has a time limit, which is no answer.
///
/// # Errors
/// Those of `read`.
pub fn read_some(source: &mut impl Read, part: &mut [u8]) -> io::Result<usize> {
    loop {
        match source.read(part) {
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            outcome => return outcome,
        }
    }
}

/// The folder of fixtures.
pub fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../fixtures")
}

/// The text of a fixture.
///
/// # Panics
/// When it can't be read: a test without its fixture has failed.
pub fn fixture(path: &str) -> String {
    let path = fixtures().join(path);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The names of the files directly in a folder of fixtures that end in `ending`, sorted.
///
/// # Panics
/// When the folder can't be read or is empty.
pub fn fixture_names(folder: &str, ending: &str) -> Vec<String> {
    let entries = fs::read_dir(fixtures().join(folder)).expect("the folder of fixtures");
    let names = entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
    let mut names: Vec<String> = names.filter(|name| name.ends_with(ending)).collect();
    names.sort();
    assert!(!names.is_empty(), "{folder} has fixtures");
    names
}

/// The README's Rust, run as documentation tests.
#[cfg(doctest)]
#[doc = include_str!(concat!(env!("OUT_DIR"), "/readme.md"))]
pub struct Readme;

/// That of the toolkit's page.
#[cfg(doctest)]
#[doc = include_str!("../../generator/docs/toolkit.md")]
pub struct Toolkit;

#[cfg(test)]
mod units {
    #[cfg(target_os = "linux")]
    use crate::cluster::is_in_memory;
    use crate::cluster::with_database;
    use crate::postgresql_programs::choose;
    use std::ffi::OsStr;
    use std::io::{self, ErrorKind, Read};

    struct Halted(bool);

    impl Read for Halted {
        fn read(&mut self, part: &mut [u8]) -> io::Result<usize> {
            if !std::mem::replace(&mut self.0, true) {
                return Err(ErrorKind::Interrupted.into());
            }
            part[0] = b'x';
            Ok(1)
        }
    }

    #[test]
    fn a_read_that_was_interrupted_is_read_again() {
        assert_eq!(
            super::read_some(&mut Halted(false), &mut [0; 4]).ok(),
            Some(1)
        );
    }

    #[test]
    fn a_cargo_that_a_test_asks_is_told_nothing_of_the_package_of_the_test() {
        let asked = super::cargo::command();
        for name in [
            "CARGO_MANIFEST_DIR",
            "CARGO_PKG_NAME",
            "CARGO_PKG_VERSION",
            "OUT_DIR",
        ] {
            assert!(std::env::var_os(name).is_some(), "cargo says no {name}");
            let mut changes = asked.get_envs();
            let change = changes.find(|(of, _)| of.to_str() == Some(name));
            assert_eq!(change, Some((OsStr::new(name), None)));
        }
    }

    #[test]
    fn continuous_integration_takes_no_other_version_than_the_oldest_that_is_meant() {
        let both = [15, 17];
        for is_ci in [false, true] {
            assert_eq!(choose(&both, "", is_ci), Some(15));
            assert_eq!(choose(&both, "17", is_ci), Some(17), "it was asked for");
            assert_eq!(choose(&both, "16", is_ci), None);
            assert_eq!(choose(&both, "newest", is_ci), None);
            assert_eq!(choose(&[], "", is_ci), None);
        }
        assert_eq!(choose(&[16, 17], "", true), None);
        assert_eq!(choose(&[16, 17], "", false), Some(17));
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_folder_that_is_in_memory_alone_is_known() {
        assert!(is_in_memory("/dev/shm"), "its databases would be no proof");
        assert!(!is_in_memory("/proc"));
        assert!(!is_in_memory("/nowhere"));
    }

    #[test]
    fn an_address_leads_to_another_database_of_the_same_engine() {
        let url = with_database("postgres://anna@one:1,two/master?sslmode=require", "story");
        assert_eq!(url, "postgres://anna@one:1,two/story?sslmode=require");
        let bare = with_database("postgresql://one", "story");
        assert_eq!(bare, "postgresql://one/story");
        let named = with_database("host=/tmp/pg dbname=x user=anna", "story");
        assert_eq!(named, "host=/tmp/pg user=anna dbname=story");
    }
}
