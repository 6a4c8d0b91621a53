//! Finding a noun for whoever asks.

use super::noun::Noun;
use super::sight::Sight;
use crate::Refusal;
use std::sync::Arc;
use store::catalog::Verb;

impl<'c> Sight<'c> {
    /// The noun of an id, alive with all above it, for someone who may do this to it.
    ///
    /// # Errors
    /// No such noun, missing rights.
    pub(crate) fn find<N: Noun>(self, id: &str, verb: Verb) -> Result<&'c Arc<N>, Refusal> {
        self.rights.require(N::RESOURCE, verb)?;
        let noun = self.living::<N>(id)?;
        noun.permit(self, verb)?;
        Ok(noun)
    }

    /// The noun of an id, alive with all above it.
    ///
    /// # Errors
    /// No such noun.
    pub(crate) fn living<N: Noun>(self, id: &str) -> Result<&'c Arc<N>, Refusal> {
        let own = |noun: &&Arc<N>| {
            noun.tenant() == self.tenant && !noun.is_deleted() && noun.is_reachable(self.catalog)
        };
        let noun = N::all(self.catalog).get(id).filter(own);
        noun.ok_or_else(|| Refusal::no_such(N::NAME))
    }
}
