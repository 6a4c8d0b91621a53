//! Warns of a PostgreSQL that is older than what this program is made for. It is not refused.

use crate::connections::Connections;
use crate::error::Failure;

const VERSION: &str = "SELECT version()";
/// The oldest version that is meant (`docs/scale.md`, "Which engine").
const OLDEST: u32 = 15;

/// Warns of a database that is older than what is meant: it may do otherwise than what was tried.
pub(crate) async fn warn_of_age(connections: &Connections) -> Result<(), Failure> {
    let row = connections.read_one(VERSION, &[]).await?;
    let version: String = row.map_or_else(String::new, |row| row.get(0));
    if is_older(&version) {
        tracing::warn!(
            version,
            "the database is older than PostgreSQL {OLDEST}, the oldest that this program is made for, so some of what is asked of it may fail; take a newer one"
        );
    }
    Ok(())
}

fn is_older(version: &str) -> bool {
    let number = version.strip_prefix("PostgreSQL ");
    let number = number.and_then(|it| it.split(|it: char| !it.is_ascii_digit()).next());
    number
        .and_then(|it| it.parse::<u32>().ok())
        .is_some_and(|own| own < OLDEST)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_database_that_is_older_than_what_is_meant_is_known_by_its_version() {
        for (version, expected) in [
            (
                "PostgreSQL 14.20 (Debian 14.20-1.pgdg120+1) on x86_64-pc-linux-gnu",
                true,
            ),
            ("PostgreSQL 9.6.24 on x86_64-pc-linux-gnu", true),
            (
                "PostgreSQL 15.0 (Debian 15.0-1.pgdg110+1) on x86_64-pc-linux-gnu",
                false,
            ),
            ("PostgreSQL 19beta1 on x86_64-pc-linux-gnu", false),
            ("", false),
        ] {
            assert_eq!(is_older(version), expected, "{version}");
        }
    }
}
