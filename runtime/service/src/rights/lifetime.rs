//! How long a credential lives: until its own end, and, where it is tied to who made it, no longer than that. What
//! a credential that ends has made ends no later.

use super::caller::Principal;
use crate::Refusal;
use store::catalog::NounKey;
use wire::Timestamp;

/// How long what is made or changed will open something.
#[derive(Clone, Copy)]
pub enum Lifetime {
    /// Until someone ends it.
    Open,
    /// Until this moment, if it has one, and no longer than who made it, if it is tied to that.
    Key {
        /// Its own end.
        end: Option<Timestamp>,
        /// Whether it ends with its maker.
        with_maker: bool,
    },
}

impl Principal {
    /// Refuses what would outlive this credential. Sessions and tokens end and are no credentials of their own:
    /// their user and client count.
    ///
    /// # Errors
    /// [`Refusal::Forbidden`].
    pub(crate) fn require_no_longer(&self, lifetime: Lifetime) -> Result<(), Refusal> {
        let Principal::Key(key) = self else {
            return Ok(());
        };
        let (end, with_maker) = match lifetime {
            Lifetime::Open => (None, false),
            Lifetime::Key { end, with_maker } => (end, with_maker),
        };
        let ends_before = |own: Timestamp| end.is_some_and(|end| end <= own);
        match key.expires_at {
            Some(own) if !ends_before(own) && !with_maker => Err(Refusal::Forbidden(
                format!(
                    "this key works until {own}, and what it makes, or gives rights, a secret or another end, may not \
                     work longer: only keys can be made by it, with an `expiresAt` until then or `endsWithMaker`"
                )
                .into(),
            )),
            _ if key.ends_with.is_some() && !with_maker => Err(Refusal::Forbidden(
                "this key ends with who made it, and so must what it makes, or gives rights or a secret: only keys \
                 can be made by it, with `endsWithMaker`"
                    .into(),
            )),
            _ => Ok(()),
        }
    }

    /// What ends when this ends.
    ///
    /// # Errors
    /// The operator of the machine, who has no end.
    pub(crate) fn as_maker(&self) -> Result<NounKey, Refusal> {
        let kind = self.kind().ok_or_else(|| {
            let message = "can't be true here, because the operator has no end; give `expiresAt`";
            Refusal::invalid("$.endsWithMaker", message)
        })?;
        Ok(NounKey {
            kind,
            id: self.id().to_owned(),
        })
    }
}
