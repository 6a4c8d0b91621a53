//! What a session begins with: the level, the times and the commits of this program, whatever its role or the database was
//! told for others.

use tokio_postgres::Config;

// the level, whatever the database has been told to begin with; and a server that was cut off in a transaction does not
// keep its locks from the others for longer than one waits for an answer
const SESSION: &str = "SET SESSION CHARACTERISTICS AS TRANSACTION ISOLATION LEVEL READ COMMITTED;
   SET idle_in_transaction_session_timeout = 10000";

// what a role or a database was told for others would acknowledge what is not on the disk, or end a statement that goes
// through all rows, a wait for a lock that this program bounds itself, or a session that waits for its next work. Whoever
// writes one into the address means this program. Not every engine has all of them
const SETTINGS: [(&str, &str); 5] = [
    (
        "synchronous_commit",
        "SELECT set_config(name, 'on', false) FROM pg_settings WHERE name = 'synchronous_commit' AND setting = 'off'",
    ),
    ("statement_timeout", "SET statement_timeout = 0"),
    ("lock_timeout", "SET lock_timeout = 0"),
    (
        "idle_session_timeout",
        "SELECT set_config(name, '0', false) FROM pg_settings WHERE name = 'idle_session_timeout'",
    ),
    (
        "transaction_timeout",
        "SELECT set_config(name, '0', false) FROM pg_settings WHERE name = 'transaction_timeout'",
    ),
];

/// The statements that a session begins with.
pub(crate) fn begin(config: &Config) -> String {
    let said = config.get_options().unwrap_or_default();
    let unsaid = SETTINGS.iter().filter(|(name, _)| !said.contains(*name));
    let mut statements = String::new();
    for (_, ours) in unsaid {
        statements.push_str(ours);
        statements.push_str("; ");
    }
    statements + SESSION
}

/// The same of one whose tables are in a schema.
pub(crate) fn begin_within(schema: &str, config: &Config) -> String {
    format!("SET search_path = {schema}; {}", begin(config))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_session_has_no_settings_of_others_and_those_that_the_address_says() {
        let of = |address: &str| begin(&address.parse().unwrap());
        let session = of("host=host user=anna");
        assert!(session.ends_with(SESSION), "{session}");
        for (name, ours) in SETTINGS {
            assert!(session.contains(&format!("{ours}; ")), "{name}");
        }
        let said = "host=host user=anna options='-c statement_timeout=5min -c search_path=master'";
        let session = of(said);
        assert!(!session.contains("statement_timeout"), "{session}");
        assert!(session.contains("SET lock_timeout = 0; "), "{session}");
    }
}
