//! A change while it is decided: the newest catalog, who asks and with which rights, and what is to be
//! written. It runs inside the store's writer, so two changes never cross.

use super::{Denied, rights::Rights};
use crate::{Caller, Service};
use parking_lot::Mutex;
use serde::Serialize;
use std::sync::Arc;
use store::catalog::{
    Actor, AuditAction, AuditEntry, Catalog, CatalogWrite, DecisionError, Ending, Kind, Noun,
    NounKey, Resource, Stamp, Verb,
};
use wire::Timestamp;

/// Kinds and actions are told as literals here.
const WORD: &str = "a word of the trail";

/// Who asks: enough of a caller to judge it again by the newest catalog.
#[derive(Clone, Debug)]
pub(super) struct Asker {
    pub(super) tenant: String,
    pub(super) actor: Actor,
}

impl From<&Caller> for Asker {
    fn from(caller: &Caller) -> Self {
        Asker {
            tenant: caller.tenant().to_owned(),
            actor: caller.actor().clone(),
        }
    }
}

/// A change that is being decided.
pub(super) struct Draft<'c> {
    pub(super) catalog: &'c Catalog,
    pub(super) asker: &'c Asker,
    pub(super) rights: Rights,
    pub(super) at: Timestamp,
    write: CatalogWrite,
    if_occupied: Option<Denied>,
}

impl Draft<'_> {
    pub(super) fn tenant(&self) -> &str {
        &self.asker.tenant
    }

    pub(super) fn require(&self, resource: Resource, verb: Verb) -> Result<(), Denied> {
        self.rights.require(resource, verb)
    }

    /// The stamp of something new.
    pub(super) fn stamp(&self) -> Stamp {
        Stamp::new(self.asker.actor.clone(), self.at)
    }

    /// The stamp of something that changes.
    pub(super) fn restamp(&self, stamp: &Stamp) -> Stamp {
        stamp.changed(self.asker.actor.clone(), self.at)
    }

    /// Writes a noun.
    pub(super) fn put<N>(&mut self, noun: N) -> Arc<N>
    where
        Noun: From<N>,
        N: Clone,
    {
        let kept = Arc::new(noun.clone());
        self.write.put.push(noun.into());
        kept
    }

    /// Removes a noun for good.
    pub(super) fn remove(&mut self, kind: &str, id: &str) {
        self.write.remove.push(NounKey {
            kind: Kind::parse(kind).expect(WORD),
            id: id.to_owned(),
        });
    }

    /// Ends tokens or sessions.
    pub(super) fn end(&mut self, ending: Ending) {
        self.write.end.push(ending);
    }

    /// Lets the change come into force only while these datasets hold no live record; else it is denied so.
    pub(super) fn require_empty(&mut self, datasets: Vec<u32>, otherwise: Denied) {
        self.write.require_empty = datasets;
        self.if_occupied = Some(otherwise);
    }

    /// Remembers what was done. The documents are views: what they do not show is not remembered.
    pub(super) fn remember<V: Serialize>(
        &mut self,
        action: &str,
        [noun, id]: [&str; 2],
        before: Option<V>,
        after: Option<V>,
    ) {
        // a number that no value can hold (a schema's bound may be one) keeps its text
        let document = |view: V| {
            let text = || serde_json::to_string(&view).unwrap_or_default().into();
            serde_json::to_value(&view).unwrap_or_else(|_| text())
        };
        self.write.audit.push(AuditEntry {
            tenant: self.asker.tenant.clone(),
            at: self.at,
            actor: self.asker.actor.clone(),
            action: AuditAction::parse(action).expect(WORD),
            noun: Kind::parse(noun).expect(WORD),
            id: id.to_owned(),
            before: before.map(document),
            after: after.map(document),
        });
    }
}

/// What a change came to: what it made, and how it is denied if a dataset that it requires to be empty is
/// not; or its denial.
type Outcome<T> = Result<(T, Option<Denied>), Denied>;

impl Service {
    /// Decides a change with the caller's rights as of the newest catalog, and writes it. `work` may run
    /// more than once.
    pub(super) async fn change<T: Send + 'static>(
        &self,
        by: impl Into<Asker>,
        mut work: impl FnMut(&mut Draft<'_>) -> Result<T, Denied> + Send + 'static,
    ) -> Result<T, Denied> {
        let asker = by.into();
        let at = self.now();
        let outcome: Arc<Mutex<Option<Outcome<T>>>> = Arc::default();
        let told = outcome.clone();
        let decision = move |catalog: &Catalog| {
            let decided = Rights::of(catalog, &asker).and_then(|rights| {
                let mut draft = Draft {
                    catalog,
                    asker: &asker,
                    rights,
                    at,
                    write: CatalogWrite::default(),
                    if_occupied: None,
                };
                work(&mut draft).map(|made| ((made, draft.if_occupied), draft.write))
            });
            let mut told = told.lock();
            match decided {
                Ok((made, write)) => {
                    *told = Some(Ok(made));
                    Ok(write)
                }
                Err(denied) => {
                    *told = Some(Err(denied));
                    // the denial itself travels beside
                    Err(String::new())
                }
            }
        };
        let decided = self.store().decide(Box::new(decision)).await?;
        let told = outcome.lock().take();
        match (decided, told) {
            (Ok(_), Some(Ok((made, _)))) => Ok(made),
            (Err(DecisionError::Occupied { .. }), Some(Ok((_, Some(denied)))))
            | (_, Some(Err(denied))) => Err(denied),
            (_, _) => Err(Denied::Store(store::StoreError::Closed)),
        }
    }
}
