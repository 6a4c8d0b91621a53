//! The end of those who work beside a story until they are told to stop.

use std::sync::atomic::{AtomicBool, Ordering};

/// Tells them so when it is dropped: also where what they work beside fails, since a scope waits for them even then.
pub struct Ends<'e>(pub &'e AtomicBool);

impl Drop for Ends<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

#[test]
fn who_works_beside_what_fails_is_told_to_stop() {
    let end = AtomicBool::new(false);
    let failed = std::panic::catch_unwind(|| {
        let _ends = Ends(&end);
        assert!(end.load(Ordering::Relaxed), "it fails before the end");
    });
    assert!(failed.is_err() && end.load(Ordering::Relaxed));
}
