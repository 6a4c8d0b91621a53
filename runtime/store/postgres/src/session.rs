//! What a session begins with: the level and the times of this program, whatever its role or the database was told for others.

use tokio_postgres::Config;

// the level, whatever the database has been told to begin with; and a server that was cut off in a transaction does not
// keep its locks from the others for longer than one waits for an answer
const SESSION: &str = "SET SESSION CHARACTERISTICS AS TRANSACTION ISOLATION LEVEL READ COMMITTED;
   SET idle_in_transaction_session_timeout = 10000";

// what a role or a database was told for others would end a statement that goes through all rows, a wait for a lock that this
// program bounds itself, or a session that waits for its next work. Whoever writes one into the address means this program.
// Not every engine has all of them
const TIMES: [(&str, &str); 4] = [
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
    let unsaid = TIMES.iter().filter(|(name, _)| !said.contains(*name));
    let mut statements = String::new();
    for (_, unlimited) in unsaid {
        statements.push_str(unlimited);
        statements.push_str("; ");
    }
    statements + SESSION
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_session_has_no_times_of_others_and_those_that_the_address_says() {
        let of = |address: &str| begin(&address.parse().unwrap());
        let session = of("host=host user=anna");
        assert!(session.ends_with(SESSION), "{session}");
        for (name, unlimited) in TIMES {
            assert!(session.contains(&format!("{unlimited}; ")), "{name}");
        }
        let said = "host=host user=anna options='-c statement_timeout=5min -c search_path=master'";
        let session = of(said);
        assert!(!session.contains("statement_timeout"), "{session}");
        assert!(session.contains("SET lock_timeout = 0; "), "{session}");
    }
}
