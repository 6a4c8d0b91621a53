//! Chance for what needs no secret: retries that come apart, marks between the parts of a form.

/// Some number, another one each time. The standard library's hash keys are
/// different in each.
pub(crate) fn chance() -> u64 {
    use std::hash::{BuildHasher, Hasher, RandomState};
    RandomState::new().build_hasher().finish()
}
