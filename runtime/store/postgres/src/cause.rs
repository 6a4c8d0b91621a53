//! What the driver and the pool report, in one line: the database's own words, or those of the system, without the layers between.

use deadpool_postgres::{HookError, PoolError, TimeoutType};
use std::error::Error;

/// What the driver says around a cause that says more.
const WRAPPINGS: [&str; 2] = ["error connecting to server", "invalid configuration"];

/// The cause of a failure of the driver.
pub(crate) fn of_driver(error: &tokio_postgres::Error) -> String {
    let told = match (error.as_db_error(), error.source()) {
        (Some(answer), _) => {
            let more = [answer.detail(), answer.hint()].into_iter().flatten();
            let all: Vec<_> = std::iter::once(answer.message()).chain(more).collect();
            all.join("; ")
        }
        (None, Some(cause)) if WRAPPINGS.contains(&&*error.to_string()) => store::chain(cause),
        (None, _) => store::chain(error),
    };
    one_line(&told)
}

/// The cause of a failure to have a connection.
pub(crate) fn of_pool(error: &PoolError) -> String {
    match error {
        PoolError::Backend(error) | PoolError::PostCreateHook(HookError::Backend(error)) => {
            of_driver(error)
        }
        PoolError::PostCreateHook(HookError::Message(words)) => words.to_string(),
        PoolError::Timeout(TimeoutType::Wait) => {
            "all connections of this server were in use for ten seconds; let it have more (--database-connections)"
                .to_owned()
        }
        PoolError::Timeout(_) => "no connection was there within ten seconds".to_owned(),
        PoolError::Closed | PoolError::NoRuntimeSpecified => error.to_string(),
    }
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cause_of_many_lines_is_one() {
        let told = "connection failed: Connection refused\n\tIs the server running?\n";
        let line = "connection failed: Connection refused Is the server running?";
        assert_eq!(one_line(told), line);
    }
}
