//! What a session begins with: the level, the times, the commits and the answers of this program, whatever its role or the database
//! was told for others.

use tokio_postgres::error::SqlState;
use tokio_postgres::{Client, Config, Error};

// the level, whatever the database has been told to begin with; and a server that was cut off in a transaction does not
// keep its locks from the others for longer than one waits for an answer
const SESSION: &str = "SET SESSION CHARACTERISTICS AS TRANSACTION ISOLATION LEVEL READ COMMITTED;
   SET idle_in_transaction_session_timeout = 10000";

// what a role or a database was told for others would end a statement that goes through all rows. It holds for a message as a
// whole from its beginning, so this is one by itself
const STATEMENT_TIMEOUT: &str = "statement_timeout";
const OWN_TIME: &str = "SET statement_timeout = 0";

// so would other settings end a wait for a lock that this program bounds itself, or a session that waits for its next work; or
// acknowledge what is not on the disk; or change what is found: some hits of a search in place of all of them, bytes as text in
// other letters, a backslash that is none. Whoever writes one into the address means this program. Not every engine has all of
// them
const SETTINGS: [(&str, &str); 7] = [
    (
        "transaction_timeout",
        "SELECT set_config(name, '0', false) FROM pg_settings WHERE name = 'transaction_timeout'",
    ),
    (
        "synchronous_commit",
        "SELECT set_config(name, 'on', false) FROM pg_settings WHERE name = 'synchronous_commit' AND setting = 'off'",
    ),
    ("lock_timeout", "SET lock_timeout = 0"),
    (
        "idle_session_timeout",
        "SELECT set_config(name, '0', false) FROM pg_settings WHERE name = 'idle_session_timeout'",
    ),
    (
        "gin_fuzzy_search_limit",
        "SELECT set_config(name, '0', false) FROM pg_settings WHERE name = 'gin_fuzzy_search_limit'",
    ),
    (
        "bytea_output",
        "SELECT set_config(name, 'hex', false) FROM pg_settings WHERE name = 'bytea_output' AND setting <> 'hex'",
    ),
    (
        "standard_conforming_strings",
        "SELECT set_config(name, 'on', false) FROM pg_settings WHERE name = 'standard_conforming_strings' AND setting = 'off'",
    ),
];

/// What a session begins with.
pub(crate) struct Beginning {
    /// The statement by which it has its own time, unless the address says one.
    own_time: Option<&'static str>,
    /// The statements behind it.
    rest: String,
}

impl Beginning {
    /// That of sessions by an address.
    pub(crate) fn of(config: &Config) -> Self {
        let said = config.get_options().unwrap_or_default();
        let is_unsaid = |name: &str| !said.contains(name);
        let mut rest = String::new();
        for (_, ours) in SETTINGS.iter().filter(|it| is_unsaid(it.0)) {
            rest.push_str(ours);
            rest.push_str("; ");
        }
        Beginning {
            own_time: is_unsaid(STATEMENT_TIMEOUT).then_some(OWN_TIME),
            rest: rest + SESSION,
        }
    }

    /// The same of sessions whose tables are in a schema.
    pub(crate) fn within(schema: &str, config: &Config) -> Self {
        let Beginning { own_time, rest } = Self::of(config);
        let rest = format!("SET search_path = {schema}; {rest}");
        Beginning { own_time, rest }
    }

    /// Begins a session. Its first statement is the only one that has the time of others: where that ended it, short as it is, it
    /// is said again, for as long as the caller waits.
    pub(crate) async fn run(&self, client: &Client) -> Result<(), Error> {
        if let Some(own_time) = self.own_time {
            while let Err(error) = client.batch_execute(own_time).await {
                if error.code() != Some(&SqlState::QUERY_CANCELED) {
                    return Err(error);
                }
            }
        }
        client.batch_execute(&self.rest).await
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_session_has_no_settings_of_others_and_those_that_the_address_says() {
        let of = |address: &str| Beginning::of(&address.parse().unwrap());
        let Beginning { own_time, rest } = of("host=host user=anna");
        assert_eq!(own_time, Some(OWN_TIME));
        assert!(!rest.contains(STATEMENT_TIMEOUT), "a message by itself");
        assert!(rest.ends_with(SESSION), "{rest}");
        for (name, ours) in SETTINGS {
            assert!(ours.contains(name), "{name}");
            assert!(rest.contains(&format!("{ours}; ")), "{name}");
        }
        let said = "host=host user=anna options='-c statement_timeout=5min -c search_path=master -c gin_fuzzy_search_limit=9'";
        let Beginning { own_time, rest } = of(said);
        assert_eq!(own_time, None);
        for name in [STATEMENT_TIMEOUT, "gin_fuzzy_search_limit"] {
            assert!(!rest.contains(name), "{rest}");
        }
        assert!(rest.contains("SET lock_timeout = 0; "), "{rest}");
    }
}
