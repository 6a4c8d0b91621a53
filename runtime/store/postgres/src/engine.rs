//! Which engine it is that speaks PostgreSQL's protocol, where one is told something in another way. What stands here of others
//! than PostgreSQL is by their documents: neither was ever run with it (docs/scale.md, "What was tried").

use crate::connections::Connections;
use crate::error::Failure;
use std::borrow::Cow;

pub(crate) const VERSION: &str = "SELECT version()";

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
        let row = connections.read_one(VERSION, &[]).await?;
        Ok(Engine::of(row.as_ref().map_or("", |row| row.get(0))))
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
