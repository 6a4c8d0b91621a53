//! What fails inside this engine, before its doors tell it as the contract does; and which of it is worth another try.

use crate::{advice, cause};
use deadpool_postgres::{HookError, PoolError};
use std::time::Duration;
use store::{Lack, StoreError, TakesNoWrites};
use tokio_postgres::error::SqlState;

/// The database's own failure, or one that the contract names.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The database's, or of the way to it.
    Database(tokio_postgres::Error),
    /// No connection could be had.
    Pool(PoolError),
    /// No answer came within this time.
    Silent(Duration),
    /// Whether work was committed could not be learned, for this reason: it must not be done again.
    Unsettled(Box<Failure>),
    /// The contract's.
    Store(StoreError),
}

impl Failure {
    /// Whether the work may be done again since others were beside it: the database took it back for their sake, or another
    /// server was faster with a row that both make.
    pub(crate) fn is_of_a_race(&self) -> bool {
        let Failure::Database(error) = self else {
            return false;
        };
        self.is_rolled_back() || error.code() == Some(&SqlState::UNIQUE_VIOLATION)
    }

    /// Whether the database took the transaction back for the sake of another one: its snapshot was too old, or it stood in a
    /// ring of locks.
    fn is_rolled_back(&self) -> bool {
        let Failure::Database(error) = self else {
            return false;
        };
        error.code().is_some_and(|code| {
            [
                &SqlState::T_R_SERIALIZATION_FAILURE,
                &SqlState::T_R_DEADLOCK_DETECTED,
            ]
            .contains(&code)
        })
    }

    /// Whether the database gave the work up, and would what comes behind it: each time it was tried it took it back for the sake of
    /// others or did not know its end. Nothing of it was done.
    pub(crate) fn is_given_up(&self) -> bool {
        self.is_rolled_back() || self.is_of_an_unknown_end()
    }

    /// Whether a statement took, or waited for a lock, longer than its session allows, or its transaction did; or somebody
    /// cancelled it.
    pub(crate) fn is_cut_off(&self) -> bool {
        self.database_error().and_then(lack) == Some(Lack::Time)
    }

    /// Whether the disk of the database is full.
    pub(crate) fn is_of_room(&self) -> bool {
        self.database_error().and_then(lack) == Some(Lack::Room)
    }

    /// Whether a newer program has changed the tables, so that whatever is asked of them is refused.
    pub(crate) fn is_of_a_newer_step(&self) -> bool {
        matches!(self, Failure::Store(StoreError::Newer { .. }))
    }

    /// Whether it waited too long for a lock that others have.
    pub(crate) fn is_of_a_wait(&self) -> bool {
        let Failure::Database(error) = self else {
            return false;
        };
        error.code() == Some(&SqlState::LOCK_NOT_AVAILABLE)
    }

    /// Whether a commit that ended so may have been done all the same, so that it must be looked up: nobody answered, or the
    /// database itself does not know, as engines of several nodes say of a commit whose node went away.
    pub(crate) fn leaves_a_commit_unknown(&self) -> bool {
        self.is_of_the_connection() || self.is_of_an_unknown_end()
    }

    /// Whether the database does not know if it did what it was asked. In a transaction that is taken back, or was looked up,
    /// it may be asked again.
    pub(crate) fn is_of_an_unknown_end(&self) -> bool {
        matches!(self, Failure::Database(error) if is_unknown_end(error.code()))
    }

    /// Whether the database answers, and says that it can't reach what it needs of another node.
    pub(crate) fn is_of_a_node(&self) -> bool {
        let Failure::Database(error) = self else {
            return false;
        };
        let code = error.code();
        code.is_some_and(|code| code.code().starts_with("08")) || is_of_a_lost_node(error)
    }

    /// Whether a table, or its type, has been made meanwhile.
    pub(crate) fn is_of_a_name(&self) -> bool {
        let Failure::Database(error) = self else {
            return false;
        };
        error.code().is_some_and(|code| {
            [&SqlState::DUPLICATE_OBJECT, &SqlState::DUPLICATE_TABLE].contains(&code)
        })
    }

    /// The database's own failure as the contract tells it: what is only not there now is told apart.
    fn into_database_error(self) -> StoreError {
        let (is_unreachable, is_given_up) = (self.is_unreachable(), self.is_given_up());
        let is_refused = self.is_refused();
        let is_read_only = self.is_of_a_read_only_session();
        let told = self.database_error();
        let (lack, advice) = (told.and_then(lack), told.and_then(advice::of));
        let cause: Box<dyn std::error::Error + Send + Sync> = match self {
            Failure::Database(error) => cause::of_driver(&error).into(),
            Failure::Pool(error) => cause::of_pool(&error).into(),
            Failure::Silent(time) => format!("it gave no answer for {} s", time.as_secs()).into(),
            Failure::Unsettled(failure) => {
                return StoreError::Unsettled(Box::new(failure.into_database_error()));
            }
            Failure::Store(error) => return error,
        };
        let cause: Box<dyn std::error::Error + Send + Sync> = match advice {
            Some(advice) if is_read_only => Box::new(TakesNoWrites::ReadOnly {
                advice,
                source: cause,
            }),
            Some(words) => Box::new(advice::Advised { words, cause }),
            None => cause,
        };
        match lack {
            Some(what) => StoreError::Lacking {
                what,
                source: cause,
            },
            None if is_refused => StoreError::Refused(cause),
            None if is_unreachable => StoreError::Unreachable(cause),
            None if is_given_up => StoreError::RolledBack(cause),
            None => StoreError::Database(cause),
        }
    }

    /// The driver's own error, where it is one.
    fn database_error(&self) -> Option<&tokio_postgres::Error> {
        match self {
            Failure::Database(error)
            | Failure::Pool(
                PoolError::Backend(error) | PoolError::PostCreateHook(HookError::Backend(error)),
            ) => Some(error),
            Failure::Pool(_) | Failure::Silent(_) | Failure::Unsettled(_) | Failure::Store(_) => {
                None
            }
        }
    }

    /// Whether the database can't be asked now, by whatever connection.
    pub(crate) fn is_unreachable(&self) -> bool {
        self.is_of_the_connection()
            || self.is_of_a_read_only_session()
            || matches!(self, Failure::Pool(_) | Failure::Unsettled(_))
    }

    /// Whether the session takes no writes. It begins with what its database or its role is told for that moment and keeps it,
    /// so another session may take them; a standby has none that does.
    pub(crate) fn is_of_a_read_only_session(&self) -> bool {
        let Failure::Database(error) = self else {
            return false;
        };
        error.code() == Some(&SqlState::READ_ONLY_SQL_TRANSACTION)
    }

    /// Whether what was asked about has U+0000, which no text of the database can have.
    pub(crate) fn is_of_an_impossible_text(&self) -> bool {
        let Failure::Database(error) = self else {
            return false;
        };
        error.code() == Some(&SqlState::CHARACTER_NOT_IN_REPERTOIRE)
    }

    /// Whether the database was reached, and lets nobody in by this address.
    fn is_refused(&self) -> bool {
        matches!(self, Failure::Pool(PoolError::Backend(error)) if advice::is_refusal(error))
    }

    /// Whether a connection was to be made, and was not.
    pub(crate) fn is_of_making_a_connection(&self) -> bool {
        matches!(self, Failure::Pool(PoolError::Backend(_)))
    }

    /// Whether the connection is gone, or could not be had: the database was stopped, or is being started.
    pub(crate) fn is_of_the_connection(&self) -> bool {
        match self {
            Failure::Database(error) => match error.code() {
                Some(code) => {
                    [
                        &SqlState::ADMIN_SHUTDOWN,
                        &SqlState::CRASH_SHUTDOWN,
                        &SqlState::CANNOT_CONNECT_NOW,
                        &SqlState::IDLE_SESSION_TIMEOUT,
                        &SqlState::IDLE_IN_TRANSACTION_SESSION_TIMEOUT,
                    ]
                    .contains(&code)
                        || code.code().starts_with("08")
                        || is_of_a_lost_node(error)
                }
                None => true,
            },
            Failure::Pool(PoolError::Backend(error)) => !advice::is_refusal(error),
            Failure::Silent(_)
            | Failure::Pool(PoolError::PostCreateHook(HookError::Backend(_))) => true,
            // among them a session that did not begin: who waited for it need not wait eight times
            Failure::Pool(_) | Failure::Unsettled(_) | Failure::Store(_) => false,
        }
    }
}

/// What Citus says of a transaction whose node went away in it, of which nothing was committed: the code, which is that of other
/// failures, too, and the beginning. After its own words come those of rows on their way to a shard, a node's last ones, which lose
/// their code, and those of the coordinator's connection to it.
const LOST_NODE: [(&str, &str); 10] = [
    ("XX000", "failure on connection marked as essential"),
    ("58030", "failed to COPY to shard "),
    ("58030", "failed to complete COPY on "),
    ("XX000", "terminating connection "),
    ("XX000", "server closed the connection unexpectedly"),
    ("XX000", "could not receive data from server"),
    ("XX000", "could not send data to server"),
    ("XX000", "no connection to the server"),
    ("XX000", "SSL connection has been closed unexpectedly"),
    ("XX000", "SSL SYSCALL error"),
];

fn is_of_a_lost_node(error: &tokio_postgres::Error) -> bool {
    let told = error.as_db_error();
    told.is_some_and(|told| {
        LOST_NODE.iter().any(|(code, beginning)| {
            told.code().code() == *code && told.message().starts_with(beginning)
        })
    })
}

/// What the database lacks, if that is what it says. Another statement may be done all the same.
fn lack(error: &tokio_postgres::Error) -> Option<Lack> {
    error.code().and_then(lack_of)
}

/// Class 53, `insufficient_resources`, 57014, `query_canceled`, 55P03, `lock_not_available`, and 25P04, `transaction_timeout`.
fn lack_of(code: &SqlState) -> Option<Lack> {
    match code.code() {
        "57014" | "55P03" | "25P04" => Some(Lack::Time),
        "53100" => Some(Lack::Room),
        "53200" => Some(Lack::Memory),
        "53300" => Some(Lack::Connections),
        other => other.starts_with("53").then_some(Lack::Other),
    }
}

/// 40003, `statement_completion_unknown`.
fn is_unknown_end(code: Option<&SqlState>) -> bool {
    code == Some(&SqlState::T_R_STATEMENT_COMPLETION_UNKNOWN)
}

impl From<tokio_postgres::Error> for Failure {
    fn from(error: tokio_postgres::Error) -> Self {
        Failure::Database(error)
    }
}

impl From<PoolError> for Failure {
    fn from(error: PoolError) -> Self {
        Failure::Pool(error)
    }
}

impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Self {
        Failure::Store(error)
    }
}

impl From<Failure> for StoreError {
    fn from(failure: Failure) -> Self {
        match failure {
            failure @ (Failure::Database(_)
            | Failure::Pool(_)
            | Failure::Silent(_)
            | Failure::Unsettled(_)) => failure.into_database_error(),
            Failure::Store(error) => error,
        }
    }
}

/// What is told of a document that can't be read or written.
pub(crate) fn malformed(what: &str) -> impl FnOnce(serde_json::Error) -> StoreError {
    move |source| StoreError::Document {
        what: what.to_owned(),
        source,
    }
}

/// A failure that is told to several.
#[derive(Clone)]
pub(crate) enum Told {
    /// The database can't be asked now.
    Unreachable(String),
    /// It lets nobody in.
    Refused(String),
    /// It went away while work was committed, which may have been done.
    Unsettled(String),
    /// It took the work back for the sake of others, or did not know its end.
    RolledBack(String),
    /// It lacks something.
    Lacking(Lack, String),
    /// A newer program has changed the tables.
    Newer {
        /// The newest step.
        found: i64,
        /// The newest that is known.
        known: i64,
    },
    /// Something else.
    Failed(String),
}

impl From<&StoreError> for Told {
    fn from(error: &StoreError) -> Self {
        // of what kind it is, the kind says; the words are those of its cause
        let words = match std::error::Error::source(error) {
            Some(cause) => store::chain(cause),
            None => error.to_string(),
        };
        match error {
            StoreError::Unreachable(_) => Told::Unreachable(words),
            StoreError::Refused(_) => Told::Refused(words),
            StoreError::Unsettled(_) => Told::Unsettled(words),
            StoreError::RolledBack(_) => Told::RolledBack(words),
            StoreError::Lacking { what, .. } => Told::Lacking(*what, words),
            StoreError::Newer { found, known } => Told::Newer {
                found: *found,
                known: *known,
            },
            _ => Told::Failed(words),
        }
    }
}

impl From<Failure> for Told {
    fn from(failure: Failure) -> Self {
        Told::from(&StoreError::from(failure))
    }
}

impl From<Told> for StoreError {
    fn from(told: Told) -> Self {
        match told {
            Told::Unreachable(words) => StoreError::Unreachable(words.into()),
            Told::Refused(words) => StoreError::Refused(words.into()),
            Told::Unsettled(words) => StoreError::Unsettled(words.into()),
            Told::RolledBack(words) => StoreError::RolledBack(words.into()),
            Told::Lacking(what, words) => StoreError::Lacking {
                what,
                source: words.into(),
            },
            Told::Newer { found, known } => StoreError::Newer { found, known },
            Told::Failed(words) => StoreError::Database(words.into()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_database_lacks_now_is_told_from_what_it_refuses() {
        for (code, what) in [
            ("53000", Lack::Other),
            ("53100", Lack::Room),
            ("53200", Lack::Memory),
            ("53300", Lack::Connections),
            ("53400", Lack::Other),
            ("57014", Lack::Time),
            ("55P03", Lack::Time),
            ("25P04", Lack::Time),
        ] {
            assert_eq!(lack_of(&SqlState::from_code(code)), Some(what), "{code}");
        }
        // a syntax error, a right that is missing, a key that is taken, a database that is stopped, a session that was idle
        for code in ["42601", "42501", "23505", "57P01", "25P03"] {
            assert_eq!(lack_of(&SqlState::from_code(code)), None, "{code}");
        }
    }

    #[test]
    fn all_who_are_told_of_one_failure_read_the_same_words() {
        let away = || StoreError::Unreachable("it gave no answer".into());
        for failure in [
            away(),
            StoreError::Refused("the password is another".into()),
            StoreError::Unsettled(Box::new(away())),
            StoreError::RolledBack("deadlock detected".into()),
            StoreError::Lacking {
                what: Lack::Room,
                source: "no space is left".into(),
            },
            StoreError::Newer { found: 9, known: 8 },
            StoreError::Database("a check is violated".into()),
        ] {
            let another = StoreError::from(Told::from(&failure));
            assert_eq!(store::chain(&another), store::chain(&failure));
        }
    }
}
