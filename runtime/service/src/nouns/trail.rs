//! What the trail remembers of a change: what differs between the noun's views before and after it. What they do
//! not show is not remembered.

use super::change::Change;
use super::difference::kept;
use super::noun::Noun;
use crate::rights::Principal;
use serde::Serialize;
use std::sync::Arc;
use store::catalog::{AuditAction, Grant};

impl Change<'_> {
    /// Gives whoever asks a grant, with its entry in the trail; the operator needs none.
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
        new.grants_mut()
            .into_iter()
            .for_each(|grants| grants.push(grant.clone()));
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
    }
}

/// A view as a document. A number that no value can hold (a schema's bound may be one) keeps its text.
pub(super) fn document(view: &impl Serialize) -> serde_json::Value {
    let text = || serde_json::to_string(view).unwrap_or_default().into();
    serde_json::to_value(view).unwrap_or_else(|_| text())
}
