//! What the trail remembers of a change: what differs between the noun's views before and after it. What they do
//! not show is not remembered.

use super::change::Change;
use super::difference::kept;
use super::noun::Noun;
use crate::rights::Principal;
use serde::Serialize;
use std::sync::Arc;
use store::catalog::{AuditAction, Grant, Kind};

impl Change<'_> {
    /// Gives whoever asks a grant, with its entry in the trail; the operator needs none, nor does who may do so in all areas.
    pub(crate) fn grant_to_maker(&mut self, grant: &Grant) {
        match self.principal.clone() {
            Principal::Operator { .. } => {}
            Principal::User(user) => self.give(&*user, grant),
            Principal::Key(key) => self.give(&*key, grant),
            Principal::App(app) => self.give(&*app, grant),
        }
    }

    fn give<N: Noun>(&mut self, old: &N, grant: &Grant) {
        let mut new = old.clone();
        let Some(grants) = new.grants_mut() else {
            return;
        };
        let has_it = |it: &Grant| it.is_of_all_areas() && it.verbs == grant.verbs;
        if grants.iter().any(has_it) {
            return;
        }
        grants.push(grant.clone());
        let new = Arc::new(new);
        self.put(N::row(new.clone()));
        self.remember(AuditAction::Update, Some(old), Some(&new));
    }

    /// Remembers what was done to a noun, with its views.
    pub(crate) fn remember<N: Noun>(
        &mut self,
        action: AuditAction,
        before: Option<&N>,
        after: Option<&N>,
    ) {
        let Some(id) = before.or(after).map(|noun| noun.key().to_owned()) else {
            return;
        };
        let document = |noun: &N| document(&noun.trail());
        let documents = kept(before.map(document), after.map(document));
        self.note(action, N::KIND, &id, documents);
        let parent = before.or(after).map(Noun::parent).unwrap_or_default();
        match N::KIND {
            Kind::Schema => self.in_area_of(Kind::Area, parent),
            Kind::Dataset => self.in_area_of(Kind::Schema, parent),
            _ => {}
        }
    }
}

/// A view as a document. A number that no value can hold (a schema's bound may be one) keeps its text.
pub(super) fn document(view: &impl Serialize) -> serde_json::Value {
    let text = || serde_json::to_string(view).unwrap_or_default().into();
    serde_json::to_value(view).unwrap_or_else(|_| text())
}
