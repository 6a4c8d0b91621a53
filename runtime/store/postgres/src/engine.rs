//! Which engine it is that speaks PostgreSQL's protocol, where one is told something in another way. What stands here of others
//! than PostgreSQL is by their documents: neither was ever run with it (docs/scale.md, "What was tried").

use crate::connections::Connections;
use crate::error::Failure;
use crate::primary::EngineQuestion;
use std::borrow::Cow;

pub(crate) const VERSION: &str = "SELECT version()";

/// Whether an engine has timelines: others answer the same functions otherwise, or not at all.
pub(crate) const HAS_TIMELINES: EngineQuestion = EngineQuestion {
    sql: VERSION,
    shows_timeline: |version| Engine::of(version) == Engine::Postgres,
};

/// How a text's order is asked for, which `CockroachDB` has without it and refuses of a column.
const ORDER: &str = r#" COLLATE "C""#;
// it changes no tables within a transaction of another level, and ends the transaction before each change, unless told
const WHOLE_STEP: &str = "SET TRANSACTION ISOLATION LEVEL SERIALIZABLE;
   SET LOCAL autocommit_before_ddl = off";
// it keeps rows by a hash of the first column of their key, unless told: what is behind a number would be looked for everywhere
const IN_ORDER: &str = "SET LOCAL yb_use_hash_splitting_by_default = off";

// whoever shares a row passes by one who waits to have it alone, and nobody passes by one who waits for a table
const IN_LINE: &str = "LOCK TABLE migrations IN EXCLUSIVE MODE";

/// An engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Engine {
    /// PostgreSQL, and what is made of it.
    Postgres,
    /// `CockroachDB`.
    Cockroach,
    /// `YugabyteDB`.
    Yugabyte,
}

impl Engine {
    /// By what it says of its version.
    pub(crate) fn of(version: &str) -> Self {
        if version.contains("CockroachDB") {
            Engine::Cockroach
        } else if version.contains("-YB-") || version.contains("Yugabyte") {
            Engine::Yugabyte
        } else {
            Engine::Postgres
        }
    }

    /// The one behind these connections.
    pub(crate) async fn behind(connections: &Connections) -> Result<Self, Failure> {
        Ok(Engine::of(&told_version(connections).await?))
    }

    /// What the transaction of a step of the tables begins with.
    pub(crate) fn begin_step(self) -> Option<&'static str> {
        match self {
            Engine::Postgres => None,
            Engine::Cockroach => Some(WHOLE_STEP),
            Engine::Yugabyte => Some(IN_ORDER),
        }
    }

    /// By what one has a place in the line of those who use the row that steps of the tables wait by.
    pub(crate) fn stand_in_line(self) -> Option<&'static str> {
        match self {
            Engine::Postgres => Some(IN_LINE),
            Engine::Cockroach | Engine::Yugabyte => None,
        }
    }

    /// A step of the tables as it takes it.
    pub(crate) fn step(self, sql: &str) -> Cow<'_, str> {
        match self {
            Engine::Postgres | Engine::Yugabyte => sql.into(),
            Engine::Cockroach => sql.replace(ORDER, "").into(),
        }
    }
}

async fn told_version(connections: &Connections) -> Result<String, Failure> {
    let row = connections.read_one(VERSION, &[]).await?;
    Ok(row.map_or_else(String::new, |row| row.get(0)))
}

/// Warns of an engine that is older than what is meant: it is not refused, and may do otherwise than what was tried.
pub(crate) async fn warn_of_age(connections: &Connections) -> Result<(), Failure> {
    let version = told_version(connections).await?;
    if let Some(oldest) = oldest_above(&version) {
        tracing::warn!(
            version,
            "the database is older than {oldest}, the oldest that this program is made for, so some of what is asked of it may fail; take a newer one"
        );
    }
    Ok(())
}

/// The oldest version of an engine that is meant (`docs/scale.md`, "Which engine"), where it says that its own is older.
fn oldest_above(version: &str) -> Option<&'static str> {
    let (oldest, mark, numbers) = match Engine::of(version) {
        Engine::Postgres => ("PostgreSQL 15", "PostgreSQL ", (15, 0)),
        Engine::Cockroach => ("CockroachDB 24.1", " v", (24, 1)),
        Engine::Yugabyte => ("YugabyteDB 2025.1", "-YB-", (2025, 1)),
    };
    let is_older = numbers_behind(mark, version).is_some_and(|own| own < numbers);
    is_older.then_some(oldest)
}

/// The first two numbers behind a mark; one that is not out yet (`18beta1`) has no second.
fn numbers_behind(mark: &str, version: &str) -> Option<(u32, u32)> {
    let (_, numbers) = version.split_once(mark)?;
    let mut numbers = numbers.split(|it: char| !it.is_ascii_digit());
    let first = numbers.next()?.parse().ok()?;
    let second = numbers.next().and_then(|it| it.parse().ok());
    Some((first, second.unwrap_or(0)))
}

#[cfg(test)]
mod tests {
    use super::*;

    const STEP: &str =
        r#"CREATE TABLE t (id text COLLATE "C" PRIMARY KEY, words text[] COLLATE "C" NOT NULL)"#;

    #[test]
    fn an_engine_is_known_by_its_version() {
        for (version, engine) in [
            (
                "PostgreSQL 15.18 (Debian 15.18-0+deb12u1) on x86_64-pc-linux-gnu",
                Engine::Postgres,
            ),
            (
                "CockroachDB CCL v25.2.1 (x86_64-pc-linux-gnu, built 2025/06/04)",
                Engine::Cockroach,
            ),
            ("PostgreSQL 15.2-YB-2025.1.0.0-b168", Engine::Yugabyte),
        ] {
            assert_eq!(Engine::of(version), engine, "{version}");
        }
    }

    #[test]
    fn an_engine_that_is_older_than_what_is_meant_is_told_and_no_other() {
        for (version, oldest) in [
            (
                "PostgreSQL 14.20 (Debian 14.20-1.pgdg120+1) on x86_64-pc-linux-gnu",
                Some("PostgreSQL 15"),
            ),
            (
                "PostgreSQL 9.6.24 on x86_64-pc-linux-gnu",
                Some("PostgreSQL 15"),
            ),
            (
                "PostgreSQL 15.0 (Debian 15.0-1.pgdg110+1) on x86_64-pc-linux-gnu",
                None,
            ),
            ("PostgreSQL 19beta1 on x86_64-pc-linux-gnu", None),
            (
                "CockroachDB CCL v23.2.12 (x86_64-pc-linux-gnu, built 2024/10/01)",
                Some("CockroachDB 24.1"),
            ),
            (
                "CockroachDB CCL v24.1.0 (x86_64-pc-linux-gnu, built 2024/05/15)",
                None,
            ),
            (
                "PostgreSQL 11.2-YB-2.20.1.0-b97 on x86_64-pc-linux-gnu",
                Some("YugabyteDB 2025.1"),
            ),
            (
                "PostgreSQL 15.2-YB-2024.2.0.0-b145 on x86_64-pc-linux-gnu",
                Some("YugabyteDB 2025.1"),
            ),
            ("PostgreSQL 15.2-YB-2025.1.0.0-b168", None),
            // whatever else speaks the protocol
            ("", None),
        ] {
            assert_eq!(oldest_above(version), oldest, "{version}");
        }
    }

    #[test]
    fn postgresql_is_told_a_step_as_it_was_published() {
        assert_eq!(Engine::Postgres.begin_step(), None);
        for engine in [Engine::Postgres, Engine::Yugabyte] {
            assert_eq!(engine.step(STEP), STEP);
        }
    }

    #[test]
    fn an_engine_that_refuses_the_order_of_a_column_is_told_a_step_without() {
        assert_eq!(
            Engine::Cockroach.step(STEP),
            "CREATE TABLE t (id text PRIMARY KEY, words text[] NOT NULL)"
        );
    }
}
