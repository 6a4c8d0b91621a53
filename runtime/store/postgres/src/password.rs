//! The password that opens a database: one that stays, or one that is read again before each connection. It knows no files: who
//! opens the store says how it is read.

use parking_lot::Mutex;
use std::sync::Arc;

/// Reads a password, or says why it can't be read.
type Read = dyn Fn() -> Result<String, String> + Send + Sync;

/// The password of a database.
#[derive(Clone)]
pub struct Password {
    last: Arc<Mutex<Last>>,
    read: Option<Arc<Read>>,
}

/// What was read last.
struct Last {
    password: String,
    /// Why it could not be read since, once that is logged.
    problem: Option<String>,
}

impl Password {
    /// One that stays as it is.
    pub fn fixed(password: String) -> Self {
        let problem = None;
        Password {
            last: Arc::new(Mutex::new(Last { password, problem })),
            read: None,
        }
    }

    /// One that is read again before each connection is made, on a thread that may wait. Where it can't be read, that is logged and
    /// the last one is used.
    pub fn read_again(
        first: String,
        read: impl Fn() -> Result<String, String> + Send + Sync + 'static,
    ) -> Self {
        Password {
            read: Some(Arc::new(read)),
            ..Self::fixed(first)
        }
    }

    /// The one that was read last.
    fn last(&self) -> String {
        self.last.lock().password.clone()
    }

    /// The one for a new connection.
    pub(crate) async fn current(&self) -> String {
        if let Some(read) = self.read.clone() {
            let read = tokio::task::spawn_blocking(move || read());
            // where the runtime ends, the last one does
            if let Ok(read) = read.await {
                self.note(read);
            }
        }
        self.last()
    }

    fn note(&self, read: Result<String, String>) {
        let mut last = self.last.lock();
        match read {
            Ok(password) => {
                last.password = password;
                last.problem = None;
            }
            Err(problem) if last.problem.as_ref() != Some(&problem) => {
                tracing::error!(
                    error = problem,
                    "the password of the database can't be read again; the one before is still used"
                );
                last.problem = Some(problem);
            }
            Err(_) => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_password_that_can_not_be_read_again_is_the_one_before() {
        let texts = Mutex::new(vec![Ok("newer"), Err("it is gone"), Ok("new")]);
        let password = Password::read_again("old".to_owned(), move || {
            let text = texts.lock().pop().expect("nobody asks again");
            text.map(str::to_owned).map_err(str::to_owned)
        });
        assert_eq!(password.last(), "old");
        for expected in ["new", "new", "newer"] {
            assert_eq!(password.current().await, expected);
        }
    }
}
