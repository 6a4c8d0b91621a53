//! A request is judged by one catalog. When that is no longer the newest by the time it matters (the schema
//! changed before the write was committed, or a record read is of a newer version), the request was
//! overtaken, nothing was written, and it is judged again, whole, by the newest.

use crate::{Permit, Refusal, Service};
use std::borrow::Cow;
use store::StoreError;

/// How often a request is judged that is overtaken each time. Against someone who changes the schema without
/// a pause each try wins about every other time, so a few would not do.
pub(crate) const TRIES_MAX: u32 = 32;

impl Service {
    /// Judges a request until it was not overtaken. Each try has a permit of its own, renewed from the one
    /// before, so a request may only do what every catalog allows that it was judged by.
    pub(crate) async fn retry<'p, P: Permit, T, F: Future<Output = Result<T, Refusal>>>(
        &self,
        permit: &'p P,
        judge: impl Fn(Cow<'p, P>) -> F,
    ) -> Result<T, Refusal> {
        let mut permit = Cow::Borrowed(permit);
        for _ in 1..TRIES_MAX {
            match judge(permit.clone()).await {
                Err(Refusal::Store(StoreError::Overtaken)) => {}
                result => return result,
            }
            permit = Cow::Owned(permit.renewed(self.store.catalog(), self.clock.now())?);
        }
        judge(permit).await
    }
}
