//! What a noun of the catalogue is. Its file says what may be said of it, what is wrong with that, who may do
//! what to it and how it is shown; making, changing, deleting, restoring, listing, the trail, versions and
//! names are the engine's ([`Nouns`](super::Nouns)), once for all.

use super::change::Change;
use super::sight::Sight;
use crate::Refusal;
use crate::rights::Lifetime;
use serde::Serialize;
use std::borrow::Cow;
use std::sync::Arc;
use store::catalog::{AuditAction, Catalog, Grant, Resource, Row, Verb};
use wire::Timestamp;

/// What may be said of a noun.
pub trait Content: Send + Sync {
    /// Refuses what is wrong with it at this moment, whatever the store holds.
    ///
    /// # Errors
    /// All that is wrong.
    fn judge(&self, now: Timestamp) -> Result<(), Refusal>;

    /// The name it gives.
    fn name(&self) -> &str;

    /// In a change: the version it was made from, if that is to be compared.
    fn version(&self) -> Option<i64> {
        None
    }

    /// The roles and areas it gives to who may call.
    fn access(&self) -> Option<(&[String], &[Grant])> {
        None
    }
}

/// A noun of the catalogue.
pub trait Noun: Row + Clone + Send + Sync + 'static {
    /// What a role must allow.
    const RESOURCE: Resource;
    /// What people call it.
    const NAME: &'static str;
    /// What people call one of them, with its article.
    const ONE: &'static str;

    /// Whether it holds from an entry of the change log on: then a change knows the newest one (`log_head`).
    const FOLLOWS_CHANGES: bool = false;

    /// What stands for the parent of what hangs below the tenant.
    const TOP: &'static str = "";

    /// What makes one.
    type New: Content + 'static;
    /// What changes one.
    type Content: Content + 'static;
    /// What is shown of one.
    type View: Serialize;

    /// How it is shown.
    fn view(&self) -> Self::View;

    /// How it is shown to whoever asks, where not everybody who sees it sees all of it.
    fn view_for(&self, _sight: Sight<'_>) -> Self::View {
        self.view()
    }

    /// Makes one, below a parent where it has one.
    ///
    /// # Errors
    /// What contradicts the catalogue.
    fn make(
        change: &mut Change<'_>,
        id: String,
        parent: &str,
        new: &Self::New,
    ) -> Result<Self, Refusal>;

    /// The same noun with another content.
    ///
    /// # Errors
    /// What contradicts the catalogue.
    fn with(&self, change: &mut Change<'_>, content: &Self::Content) -> Result<Self, Refusal>;

    /// Asks for the right to make one below a parent, beyond the role.
    ///
    /// # Errors
    /// [`Refusal::Forbidden`]; [`Refusal::NotFound`] for the parent.
    fn permit_new(change: &Change<'_>, _parent: &str, new: &Self::New) -> Result<(), Refusal> {
        change.check_access(new.access())
    }

    /// Asks for the right to do this to it, beyond the role: nobody changes who may do more than they.
    ///
    /// # Errors
    /// [`Refusal::Forbidden`], or that it can't be done to this one.
    fn permit(&self, sight: Sight<'_>, verb: Verb) -> Result<(), Refusal> {
        match self.access() {
            Some((roles, grants)) if verb != Verb::View => sight.rights.cover(roles, grants),
            _ => Ok(()),
        }
    }

    /// Asks for the right to give it this content, beyond the right to change it.
    ///
    /// # Errors
    /// [`Refusal::Forbidden`], or what contradicts the catalogue.
    fn permit_content(&self, change: &Change<'_>, content: &Self::Content) -> Result<(), Refusal> {
        change.check_access(content.access())?;
        require_no_longer(change, self, content)
    }

    /// How long it opens something, where it is whoever may call.
    fn lifetime(&self, _change: &Change<'_>) -> Lifetime {
        Lifetime::Open
    }

    /// Asks for the right to list those below a parent, beyond the role.
    ///
    /// # Errors
    /// [`Refusal::Forbidden`]; [`Refusal::NotFound`] for the parent.
    fn permit_list(_sight: Sight<'_>, _parent: &str) -> Result<(), Refusal> {
        Ok(())
    }

    /// Whether it stands in the list of whoever asks.
    fn is_listed(&self, _sight: Sight<'_>) -> bool {
        true
    }

    /// Asks for what it hangs below to be alive, so that it may come back.
    ///
    /// # Errors
    /// [`Refusal::NotFound`].
    fn require_parent(&self, _sight: Sight<'_>) -> Result<(), Refusal> {
        Ok(())
    }

    /// Whether all above it is alive.
    fn is_reachable(&self, _catalog: &Catalog) -> bool {
        true
    }

    /// The id of what it hangs below; empty for what hangs below the tenant.
    fn parent(&self) -> &str {
        Self::TOP
    }

    /// Another one of this name among those that it must differ from.
    fn namesake<'c>(
        catalog: &'c Catalog,
        tenant: &str,
        parent: &str,
        name: &str,
    ) -> Option<&'c Arc<Self>> {
        let mut all = Self::all(catalog).values();
        all.find(|noun| {
            noun.tenant() == tenant
                && noun.parent() == parent
                && !noun.is_deleted()
                && noun.name() == name
        })
    }

    /// How the trail remembers it: what identifies a person is masked.
    fn trail(&self) -> Self::View {
        self.view()
    }

    /// What follows from its making, in the same transaction.
    fn after_make(&self, _change: &mut Change<'_>) {}

    /// What follows from its change, in the same transaction; what the trail calls it.
    ///
    /// # Errors
    /// What the change would break.
    fn after_change(&self, _old: &Self, _change: &mut Change<'_>) -> Result<AuditAction, Refusal> {
        Ok(AuditAction::Update)
    }

    /// What follows from its deletion, in the same transaction.
    ///
    /// # Errors
    /// What the deletion would break.
    fn before_delete(&self, _change: &mut Change<'_>) -> Result<(), Refusal> {
        Ok(())
    }
}

/// A noun whose deletion can be taken back: nothing of it is lost.
pub trait Restorable: Noun {
    /// Asks for the room that it takes again.
    ///
    /// # Errors
    /// [`Refusal::QuotaExceeded`].
    fn require_room(&self, _: &Change<'_>) -> Result<(), Refusal> {
        Ok(())
    }

    /// Has the records judged that come back with it: what changed meanwhile passed them by.
    fn after_restore(&self, change: &mut Change<'_>);
}

/// A noun that can be switched off.
pub trait Switchable: Noun {}

/// Refuses other roles and areas for who will have them longer than whoever asks.
pub(super) fn require_no_longer<N: Noun>(
    change: &Change<'_>,
    noun: &N,
    content: &N::Content,
) -> Result<(), Refusal> {
    let given = content.access();
    if given.is_none() || given == noun.access() {
        return Ok(());
    }
    change.principal.require_no_longer(noun.lifetime(change))
}

/// The conflict of a name that is taken.
pub(crate) fn taken<N: Noun>(name: &str) -> Refusal {
    let text = format!(
        "there is {} named {name:?} already; choose another name",
        N::ONE
    );
    Refusal::Conflict(Cow::Owned(text))
}
