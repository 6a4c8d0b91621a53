//! The one engine of the catalogue: making, changing, deleting, restoring, listing and reading a noun, with its
//! rights, its trail, its version and its name, for every noun alike.

use super::change::Change;
use super::mark::same_mark;
use super::noun::{Content as _, Noun, Restorable, Switchable, taken};
use crate::pager::{NounList, made_by_id};
use crate::{Caller, PageRequest, Refusal, Service, ids};
use std::borrow::Cow;
use std::marker::PhantomData;
use std::sync::Arc;
use store::catalog::{AuditAction, Catalog, Resource, Verb};
use store::records::Shelf;
use tracing::Instrument as _;
use wire::{Page, Timestamp};

/// The nouns of one kind, in a service.
pub struct Nouns<'s, N> {
    pub(super) service: &'s Service,
    kind: PhantomData<N>,
}

impl Service {
    /// The nouns of one kind: [`areas`](Self::areas) and the like have shorter names.
    pub fn nouns<N: Noun>(&self) -> Nouns<'_, N> {
        Nouns {
            service: self,
            kind: PhantomData,
        }
    }

    /// The newest catalog, and the caller as it knows it.
    ///
    /// # Errors
    /// [`Refusal::Unauthenticated`], when it may no longer call.
    pub fn newest(&self, by: &Caller) -> Result<Caller, Refusal> {
        by.renewed(self.store().catalog(), self.now())
    }

    /// The caller by the newest catalog, if it may see this resource.
    ///
    /// # Errors
    /// Missing rights.
    pub(crate) fn viewer(&self, by: &Caller, resource: Resource) -> Result<Caller, Refusal> {
        let caller = self.newest(by)?;
        caller.rights().require(resource, Verb::View)?;
        Ok(caller)
    }
}

impl<N: Noun> Nouns<'_, N> {
    /// Makes one; below a parent, by its id, where the noun has one.
    ///
    /// # Errors
    /// What is wrong with it, a name that is taken, missing rights, no such parent.
    pub async fn create(self, by: &Caller, parent: &str, new: N::New) -> Result<Arc<N>, Refusal> {
        self.service.require_proof(by, N::RESOURCE, Verb::Add)?;
        new.judge(self.service.now())?;
        let id = ids::new_id(self.service.now(), self.service.entropy());
        let parent = parent.to_owned();
        let span = tracing::debug_span!("create", noun = N::KIND.as_str(), id);
        let log_head = self.log_head().await?;
        let made = self.service.change(by, move |change| {
            change.log_head = log_head;
            change.rights().require(N::RESOURCE, Verb::Add)?;
            N::permit_new(change, &parent, &new)?;
            free::<N>(change.catalog, change.tenant(), &parent, new.name(), "")?;
            let noun = Arc::new(N::make(change, id.clone(), &parent, &new)?);
            change.put(N::row(noun.clone()));
            noun.after_make(change);
            change.remember::<N>(AuditAction::Create, None, Some(&noun));
            Ok(noun)
        });
        made.instrument(span).await
    }

    /// Changes one; from the next request on.
    ///
    /// # Errors
    /// What is wrong with it, no such noun, another version, a name that is taken, missing rights.
    pub async fn update(
        self,
        by: &Caller,
        id: &str,
        content: N::Content,
    ) -> Result<Arc<N>, Refusal> {
        self.update_seen(by, id, content, None).await
    }

    /// The same, if it still is what whoever asks was shown: by the `mark` of that; none compares nothing.
    ///
    /// # Errors
    /// As [`update`](Self::update), and that someone else changed it.
    pub async fn update_seen(
        self,
        by: &Caller,
        id: &str,
        content: N::Content,
        seen: Option<String>,
    ) -> Result<Arc<N>, Refusal> {
        content.judge(self.service.now())?;
        self.revise(by, id, move |change, old| {
            same_version(content.version(), old.version())?;
            same_mark(seen.as_ref(), &old.view_for(change.sight()))?;
            old.permit_content(change, &content)?;
            let (name, parent) = (content.name(), old.parent());
            free::<N>(change.catalog, old.tenant(), parent, name, old.key())?;
            old.with(change, &content)
        })
        .await
    }

    /// Changes one that the caller may change, by what `work` makes of it.
    pub(super) async fn revise(
        self,
        by: &Caller,
        id: &str,
        mut work: impl FnMut(&mut Change<'_>, &N) -> Result<N, Refusal> + Send + 'static,
    ) -> Result<Arc<N>, Refusal> {
        self.service.require_proof(by, N::RESOURCE, Verb::Edit)?;
        let span = tracing::debug_span!("update", noun = N::KIND.as_str(), id);
        let id = id.to_owned();
        let log_head = self.log_head().await?;
        let changed = self.service.change(by, move |change| {
            change.log_head = log_head;
            let old = change.sight().find::<N>(&id, Verb::Edit)?;
            let new = work(change, old)?;
            replace::<N>(change, old, new)
        });
        changed.instrument(span).await
    }

    /// The newest entry of the change log, before a change is decided whose noun asks for it: what is written meanwhile stands
    /// behind it.
    async fn log_head(&self) -> Result<u64, Refusal> {
        if N::FOLLOWS_CHANGES {
            Ok(self.service.store().log_head().await?)
        } else {
            Ok(0)
        }
    }

    /// Deletes one: for good, or so that it can be restored, as the noun has it.
    ///
    /// # Errors
    /// No such noun, what hangs on it, missing rights.
    pub async fn delete(self, by: &Caller, id: &str) -> Result<(), Refusal> {
        self.service.require_proof(by, N::RESOURCE, Verb::Delete)?;
        let span = tracing::debug_span!("delete", noun = N::KIND.as_str(), id);
        let id = id.to_owned();
        let deleted = self.service.change(by, move |change| {
            let old = change.sight().find::<N>(&id, Verb::Delete)?;
            old.before_delete(change)?;
            let mut marked = N::clone(old);
            match marked.deleted_mut() {
                Some(deleted) => {
                    *deleted = true;
                    change.touch(&mut marked);
                    change.put(N::row(Arc::new(marked)));
                }
                None => change.remove(N::KIND, &id),
            }
            change.remember::<N>(AuditAction::Delete, Some(old), None);
            Ok(())
        });
        deleted.instrument(span).await
    }

    /// One, for who may see it.
    ///
    /// # Errors
    /// No such noun, missing rights.
    pub fn get(self, by: &Caller, id: &str) -> Result<Arc<N>, Refusal> {
        let caller = self.service.newest(by)?;
        caller.sight().find::<N>(id, Verb::View).cloned()
    }

    /// The same, as it is shown to who asks.
    ///
    /// # Errors
    /// No such noun, missing rights.
    pub fn show(self, by: &Caller, id: &str) -> Result<N::View, Refusal> {
        let caller = self.service.newest(by)?;
        let sight = caller.sight();
        Ok(sight.find::<N>(id, Verb::View)?.view_for(sight))
    }

    /// Whether one may do this with it, as far as rights go.
    #[must_use]
    pub fn may(self, by: &Caller, id: &str, verb: Verb) -> bool {
        let caller = self.service.newest(by);
        caller.is_ok_and(|caller| caller.sight().find::<N>(id, verb).is_ok())
    }

    /// A page of the tenant's, or of those below a parent, or of those that were deleted of them, in order of
    /// creation.
    ///
    /// # Errors
    /// Missing rights, no such parent, a bad page key.
    pub fn list(
        self,
        by: &Caller,
        parent: &str,
        shelf: Shelf,
        page: &PageRequest,
    ) -> Result<Page<N::View>, Refusal> {
        let caller = self.service.viewer(by, N::RESOURCE)?;
        let sight = caller.sight();
        self.page(&caller, parent, shelf, page, |noun| noun.view_for(sight))
    }

    /// Such a page, of what is made of each noun.
    pub(super) fn page<'c, T: serde::Serialize>(
        &self,
        caller: &'c Caller,
        parent: &str,
        shelf: Shelf,
        page: &PageRequest,
        item: impl FnMut(&'c Arc<N>) -> T,
    ) -> Result<Page<T>, Refusal> {
        let sight = caller.sight();
        N::permit_list(sight, parent)?;
        let scope = format!("manage {shelf:?} {} {}{parent}", N::KIND, sight.tenant);
        let own = N::all(sight.catalog).values().filter(|noun| {
            noun.tenant() == sight.tenant
                && noun.parent() == parent
                && shelf.holds(noun.is_deleted())
                && noun.is_listed(sight)
        });
        let list = NounList {
            scope: &scope,
            page,
            owner: caller.owner(),
        };
        let page = self.service.noun_page(&list, own, made, item);
        page.map_err(Refusal::of_management)
    }
}

impl<N: Restorable> Nouns<'_, N> {
    /// Takes the deletion of one back.
    ///
    /// # Errors
    /// No such deleted noun, a name that was taken meanwhile, missing rights, no room for it by now.
    pub async fn restore(self, by: &Caller, id: &str) -> Result<Arc<N>, Refusal> {
        let span = tracing::debug_span!("restore", noun = N::KIND.as_str(), id);
        let id = id.to_owned();
        let restored = self.service.change(by, move |change| {
            let sight = change.sight();
            sight.rights.require(N::RESOURCE, Verb::Delete)?;
            let own = |noun: &&Arc<N>| noun.tenant() == sight.tenant && noun.is_deleted();
            let old = N::all(sight.catalog).get(&id).filter(own);
            let old = old.ok_or_else(|| Refusal::no_such(&format!("deleted {}", N::NAME)))?;
            old.require_parent(sight)?;
            old.permit(sight, Verb::Delete)?;
            free::<N>(sight.catalog, sight.tenant, old.parent(), old.name(), &id)?;
            old.require_room(change)?;
            let mut new = N::clone(old);
            new.deleted_mut()
                .into_iter()
                .for_each(|deleted| *deleted = false);
            change.touch(&mut new);
            let new = Arc::new(new);
            change.put(N::row(new.clone()));
            change.remember::<N>(AuditAction::Restore, None, Some(&new));
            new.after_restore(change);
            Ok(new)
        });
        restored.instrument(span).await
    }
}

impl<N: Switchable> Nouns<'_, N> {
    /// Switches one on or off.
    ///
    /// # Errors
    /// No such noun, missing rights, what would break.
    pub async fn set_active(self, by: &Caller, id: &str, active: bool) -> Result<Arc<N>, Refusal> {
        self.revise(by, id, move |change, old| {
            if active && old.is_active() == Some(false) {
                change.principal.require_no_longer(old.lifetime(change))?;
            }
            let mut new = old.clone();
            new.active_mut()
                .into_iter()
                .for_each(|switch| *switch = active);
            Ok(new)
        })
        .await
    }
}

/// Puts a changed noun in place of the old one, with all that follows from it.
pub(crate) fn replace<N: Noun>(
    change: &mut Change<'_>,
    old: &N,
    mut new: N,
) -> Result<Arc<N>, Refusal> {
    // what is as it was is no other version
    if new.is_same(old) {
        change.sign(&mut new);
    } else {
        change.touch(&mut new);
    }
    let action = new.after_change(old, change)?;
    let new = Arc::new(new);
    change.put(N::row(new.clone()));
    change.remember(action, Some(old), Some(&new));
    Ok(new)
}

/// When a noun was made: by its id, where nothing else tells.
fn made<N: Noun>(noun: &N) -> Timestamp {
    noun.made().unwrap_or_else(|| made_by_id(noun.key()))
}

/// Refuses a name that another one has.
pub(super) fn free<N: Noun>(
    catalog: &Catalog,
    tenant: &str,
    parent: &str,
    name: &str,
    own: &str,
) -> Result<(), Refusal> {
    match N::namesake(catalog, tenant, parent, name) {
        Some(other) if other.key() != own => Err(taken::<N>(name)),
        _ => Ok(()),
    }
}

/// Refuses a change that was made from another version than the one there is.
pub(super) fn same_version(sent: Option<i64>, stored: Option<i64>) -> Result<(), Refusal> {
    match sent.zip(stored) {
        Some((sent, stored)) if sent != stored => Err(Refusal::Conflict(Cow::Owned(format!(
            "the version is {stored} by now, not {sent}; read it again"
        )))),
        _ => Ok(()),
    }
}
