//! What an operator can do about a database that lets nobody in: said before the cause, which is the driver's.

use rustls::CertificateError;
use std::error::Error;
use tokio_postgres::error::SqlState;

/// What to do about names that are taken.
macro_rules! own_schema {
    () => {
        "give the store a schema of its own (CREATE SCHEMA … AUTHORIZATION …, and ALTER ROLE … SET search_path = …), or another database"
    };
}

const OTHER_NAME: &str = "the database shows a certificate of another name than the address has; write the name that the certificate is for";
const NOT_TRUSTED: &str = "the database shows a certificate that is not trusted; give the root certificate that it was signed by with --database-root-certificates";
const NOT_TAKEN: &str = "the database shows a certificate of a form that is not taken, as one of version 1, which Citus makes for itself; give the database another one, or write sslmode=disable in the address where nobody else is on the way";
const NO_TLS: &str = "the database takes no encrypted connections, and one on another machine is asked for them unless the address says otherwise; switch TLS on there, or write sslmode=disable in the address where nobody else is on the way";
/// What the driver says of that.
const NO_TLS_CAUSE: &str = "server does not support TLS";
const NOT_ENCRYPTED: &str = "the database takes this user by encrypted connections alone; write sslmode=require in the address";

const NO_PASSWORD: &str = "it asks for a password; write that into a file, and name the file with --database-password-file";
/// What the driver says of that.
const NO_PASSWORD_CAUSE: &str = "password missing";
const WRONG_PASSWORD: &str = "the password is not that of the user; write the right one into the file of --database-password-file";
const NOT_LET_IN: &str = "the user may not log in from here; make it one that may (CREATE ROLE … LOGIN), and let it in (pg_hba.conf)";
const NO_DATABASE: &str = "it has no database of that name; make one (CREATE DATABASE … OWNER …), or name another one in the address";
const NO_ANSWER: &str = "nothing answers at the host and port of the address; start the database there, or write the right ones";
/// What the driver says of a host that it does not reach, and of one that takes no writes.
const NO_ANSWER_CAUSE: &str = "error connecting to server";
const NO_WRITES_CAUSE: &str = "database does not allow writes";

const TAKES_NO_WRITES: &str = "the database takes no writes (a standby, or default_transaction_read_only); name the one that does";
const NO_RIGHT: &str = "the user of the database lacks a right: it must be let in (GRANT CONNECT ON DATABASE … TO …), and the tables must be its own, in a schema where it may make some (GRANT USAGE, CREATE ON SCHEMA … TO …); to try things out it also makes a schema (GRANT CREATE ON DATABASE … TO …)";
const NO_SCHEMA: &str = "the search_path of the database's user names no schema that is there; make it one (CREATE SCHEMA … AUTHORIZATION …), or name one in the address (options=-c search_path=…)";
const NAME_TAKEN: &str = concat!(
    "the schema of the store has a table or an index of another program by a name that the store needs; ",
    own_schema!()
);
pub(crate) const NO_SESSION: &str = "the database is reached by a pooler that gives each transaction any session, and settings and prepared statements are a session's; let it keep one for each connection (`pool_mode = session` in PgBouncer), or name the database itself";

/// A cause with what to do about it.
#[derive(Debug, thiserror::Error)]
#[error("{words}")]
pub(crate) struct Advised {
    pub(crate) words: &'static str,
    #[source]
    pub(crate) cause: Box<dyn Error + Send + Sync>,
}

/// What to do, where it is known.
pub(crate) fn of(error: &tokio_postgres::Error) -> Option<&'static str> {
    if let Some(told) = error.as_db_error() {
        return of_answer(told.code(), told.message());
    }
    let cause = error.source().map(ToString::to_string);
    match cause.as_deref() {
        Some(NO_TLS_CAUSE) => return Some(NO_TLS),
        Some(NO_PASSWORD_CAUSE) => return Some(NO_PASSWORD),
        Some(NO_WRITES_CAUSE) => return Some(TAKES_NO_WRITES),
        _ if error.to_string() == NO_ANSWER_CAUSE => return Some(NO_ANSWER),
        _ => {}
    }
    match certificate_error(error)? {
        CertificateError::NotValidForName | CertificateError::NotValidForNameContext { .. } => {
            Some(OTHER_NAME)
        }
        CertificateError::BadEncoding | CertificateError::Other(_) => Some(NOT_TAKEN),
        _ => Some(NOT_TRUSTED),
    }
}

/// Whether a database that was reached lets nobody in by this address: another try would end in the same way.
pub(crate) fn is_refusal(error: &tokio_postgres::Error) -> bool {
    let Some(code) = error.code() else {
        let cause = error.source().map(ToString::to_string);
        return cause.as_deref() == Some(NO_PASSWORD_CAUSE);
    };
    code.code().starts_with("28")
        || [
            SqlState::INVALID_CATALOG_NAME,
            SqlState::INSUFFICIENT_PRIVILEGE,
        ]
        .contains(code)
}

/// What to do about what a database answers.
fn of_answer(code: &SqlState, message: &str) -> Option<&'static str> {
    if *code == SqlState::READ_ONLY_SQL_TRANSACTION {
        return Some(TAKES_NO_WRITES);
    }
    // which right, the cause says, in the language of the database
    if *code == SqlState::INSUFFICIENT_PRIVILEGE {
        return Some(NO_RIGHT);
    }
    if *code == SqlState::INVALID_SCHEMA_NAME {
        return Some(NO_SCHEMA);
    }
    if *code == SqlState::DUPLICATE_TABLE {
        return Some(NAME_TAKEN);
    }
    // a statement that was prepared is another session's
    if [
        SqlState::INVALID_SQL_STATEMENT_NAME,
        SqlState::DUPLICATE_PSTATEMENT,
    ]
    .contains(code)
    {
        return Some(NO_SESSION);
    }
    if *code == SqlState::INVALID_PASSWORD {
        return Some(WRONG_PASSWORD);
    }
    if *code == SqlState::INVALID_CATALOG_NAME {
        return Some(NO_DATABASE);
    }
    let is_not_let_in = *code == SqlState::INVALID_AUTHORIZATION_SPECIFICATION;
    is_not_let_in.then_some(if message.ends_with("no encryption") {
        NOT_ENCRYPTED
    } else {
        NOT_LET_IN
    })
}

/// What to do where a store would begin in one schema, and there is one in another that `search_path` names behind it.
pub(crate) fn of_a_store_behind(here: &str, behind: &str) -> String {
    format!(
        "there is a store in the schema {behind}, and the search_path of the database's user names the schema {here} before it, which has none; leave {here} out (ALTER ROLE … SET search_path = {behind}), or {behind}, where another store is to begin"
    )
}

/// What to do where a store would begin beside tables of others that have the names of its own.
pub(crate) fn of_tables_of_others(here: &str, taken: &[&str]) -> String {
    let (taken, advice) = (taken.join(", "), own_schema!());
    format!(
        "its schema {here} has tables of another program by names that the store needs ({taken}); {advice}"
    )
}

/// What is wrong with a certificate, if that is why there is no connection.
fn certificate_error<'e>(error: &'e (dyn Error + 'static)) -> Option<&'e CertificateError> {
    let mut next = Some(error);
    while let Some(error) = next {
        let io = error.downcast_ref::<std::io::Error>();
        let within = io.and_then(std::io::Error::get_ref);
        let of_tls = within.and_then(|within| within.downcast_ref::<rustls::Error>());
        if let Some(rustls::Error::InvalidCertificate(wrong)) = of_tls {
            return Some(wrong);
        }
        next = error.source();
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_that_an_operator_can_do_something_about_says_what() {
        for (code, message, advice) in [
            (
                "25006",
                "cannot execute SELECT FOR UPDATE in a read-only transaction",
                Some(TAKES_NO_WRITES),
            ),
            (
                "26000",
                "prepared statement \"s1\" does not exist",
                Some(NO_SESSION),
            ),
            (
                "42P05",
                "prepared statement \"s1\" already exists",
                Some(NO_SESSION),
            ),
            (
                "28000",
                "no pg_hba.conf entry for host \"::1\", no encryption",
                Some(NOT_ENCRYPTED),
            ),
            ("28000", "role \"anna\" does not exist", Some(NOT_LET_IN)),
            (
                "28P01",
                "password authentication failed for user \"anna\"",
                Some(WRONG_PASSWORD),
            ),
            (
                "3D000",
                "database \"master\" does not exist",
                Some(NO_DATABASE),
            ),
            (
                "42501",
                "permission denied for schema public",
                Some(NO_RIGHT),
            ),
            (
                "42501",
                "permission denied for database \"master\"",
                Some(NO_RIGHT),
            ),
            (
                "42501",
                "keine Berechtigung für Datenbank master",
                Some(NO_RIGHT),
            ),
            (
                "3F000",
                "no schema has been selected to create in",
                Some(NO_SCHEMA),
            ),
            (
                "42P07",
                "relation \"jobs\" already exists",
                Some(NAME_TAKEN),
            ),
            ("42601", "syntax error", None),
        ] {
            assert_eq!(of_answer(&SqlState::from_code(code), message), advice);
        }
    }
}
