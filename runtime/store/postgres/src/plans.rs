//! How the statements of a search are planned: without what costs more there than it saves. Not every engine knows these settings,
//! so it is asked once which of them it has. It knows no connection.

use tokio_postgres::Row;

/// Asks which of the settings there are.
pub(crate) const KNOWN: &str = "SELECT name FROM pg_settings
   WHERE name IN ('jit', 'enable_seqscan')";

// a search is over before the code for it would be compiled. A word that is looked for in many datasets is taken for one that most
// records have, and the words of all records would be gone through, where their index has the few that have it
const OFF: [(&str, &str); 2] = [
    ("jit", "SET LOCAL jit = off; "),
    ("enable_seqscan", "SET LOCAL enable_seqscan = off; "),
];

/// How statements are planned.
pub(crate) struct Plans {
    settings: String,
}

impl Plans {
    /// By what was answered of the settings that there are.
    pub(crate) fn of(known: &[Row]) -> Self {
        let names: Vec<&str> = known.iter().map(|row| row.get(0)).collect();
        Plans::by(&names)
    }

    fn by(names: &[&str]) -> Self {
        let known = OFF.iter().filter(|(name, _)| names.contains(name));
        Plans {
            settings: known.map(|(_, setting)| *setting).collect(),
        }
    }

    /// What a transaction begins with, each statement with its end.
    pub(crate) fn settings(&self) -> &str {
        &self.settings
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_engine_is_told_the_settings_that_it_has_and_no_other() {
        let told: [(&[&str], &str); 3] = [
            (
                &["enable_seqscan", "jit"],
                "SET LOCAL jit = off; SET LOCAL enable_seqscan = off; ",
            ),
            (&["enable_seqscan"], "SET LOCAL enable_seqscan = off; "),
            (&[], ""),
        ];
        for (names, settings) in told {
            assert_eq!(Plans::by(names).settings(), settings, "{names:?}");
        }
        for (name, setting) in OFF {
            assert!(KNOWN.contains(&format!("'{name}'")), "{name}");
            assert!(setting.contains(name), "{name}");
        }
    }
}
