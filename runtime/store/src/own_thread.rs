//! Threads that do what they ask of a store themselves, where an engine would have others do it: one that gives way to those that
//! answer would have begun some that give way as it does, and they would answer.

use std::cell::Cell;

thread_local! {
    static DOES_ITSELF: Cell<bool> = const { Cell::new(false) };
}

/// Has this thread do itself from now on what it asks of stores. It may take its time, and answers nobody.
pub fn do_it_here() {
    DOES_ITSELF.set(true);
}

/// Whether this thread does so.
#[must_use]
pub fn does_it_here() -> bool {
    DOES_ITSELF.get()
}
