//! Memory that one check leaves to the next, so that a check of a clean record asks for none. It holds nothing of a record
//! that anyone reads again.

use super::slot::Held;

/// Memory for [`Checker::judge`](super::Checker::judge) and [`Checker::check_into`](super::Checker::check_into): make one for
/// a thread, and hand it to each check. It grows to what the largest record takes.
#[derive(Debug, Default)]
pub struct Scratch {
    pub(in crate::validate) slots: Vec<Held>,
    pub(in crate::validate) decoded: String,
}

impl Scratch {
    /// None yet.
    pub fn new() -> Self {
        Scratch::default()
    }
}
