//! What is sent, and the contract of who brings it there.

use std::pin::Pin;

/// One thing to be sent, as it goes.
#[derive(Clone, Debug)]
pub struct Letter {
    /// Where to.
    pub url: String,
    /// Its id: the same each time that it is tried.
    pub id: String,
    /// When it is sent, in seconds since 1970 began.
    pub timestamp: i64,
    /// What shows who sent it.
    pub signature: String,
    /// JSON.
    pub body: String,
}

/// Why a letter was not taken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Undelivered {
    /// It did not arrive, or was not taken: another time, perhaps. In words.
    ForNow(String),
    /// Who lives there wants no more: the answer was 410.
    ForGood,
}

/// Brings letters.
pub trait Courier: Send + Sync {
    /// Brings one; it is delivered when who lives there said so (2xx).
    fn deliver(
        &self,
        letter: Letter,
    ) -> Pin<Box<dyn Future<Output = Result<(), Undelivered>> + Send + '_>>;
}
