//! A request is judged by one catalog. When that is no longer the newest by the time it matters (the schema
//! changed before the write was committed, or a record read is of a newer version), the request was
//! overtaken, nothing was written, and it is judged again, whole, by the newest.

use super::{Permit, Refusal, Service};
use crate::store::StoreError;
use std::borrow::Cow;

/// How often a request is judged that is overtaken each time. Against someone who changes the schema without
/// a pause each try wins about every other time, so a few would not do.
pub(super) const TRIES_MAX: u32 = 32;

/// The tries of one request.
pub(super) struct Tries<'p> {
    /// The permit of this one. Each has its own, so a request may only do what every catalog allows that it
    /// was judged by.
    pub(super) permit: Cow<'p, Permit>,
    made: u32,
}

impl<'p> Tries<'p> {
    /// The first one.
    pub(super) fn new(permit: &'p Permit) -> Self {
        Tries {
            permit: Cow::Borrowed(permit),
            made: 1,
        }
    }

    /// Whether the result is to be told; if not, the next try's permit is there.
    ///
    /// # Errors
    /// What the newest catalog has against the request.
    pub(super) fn are_over<T>(
        &mut self,
        service: &Service,
        result: &Result<T, Refusal>,
    ) -> Result<bool, Refusal> {
        let is_overtaken = matches!(result, Err(Refusal::Store(StoreError::Overtaken)));
        if !is_overtaken || self.made == TRIES_MAX {
            return Ok(true);
        }
        let renewed = self
            .permit
            .renewed(service.store.catalog(), service.clock.now())?;
        self.permit = Cow::Owned(renewed);
        self.made += 1;
        Ok(false)
    }
}
