//! Saved views of whoever asks: how one looks at a dataset (query, order, columns), under a name. They are a user's own:
//! nobody else lists or changes them, and they go with the user. They give no right: what they show is decided
//! when they are looked at. Those of a dataset that is deleted, or may not be seen any more, are not there; they are again
//! when it is.

use super::UnderDataset as _;
use super::change::Change;
use super::content::Texts;
use super::difference::kept;
use super::noun::Content;
use super::sight::Sight;
use super::trail::document;
use super::views::{masked, stamp_view};
use crate::{Caller, Refusal, Service, ids};
use std::sync::Arc;
use store::catalog::{
    AuditAction, Dataset, Kind, NounKey, Resource, SavedView, SchemaEntry, User, Verb,
};
use tracing::Instrument as _;
use wire::manage::limits::{
    NAME_LENGTH_MAX, QUERY_LENGTH_MAX, SAVED_VIEWS_MAX, SORT_LENGTH_MAX, VIEW_COLUMNS_MAX,
};
use wire::manage::{SavedViewContent, SavedViewView};
use wire::{Page, Timestamp};

impl Content for SavedViewContent {
    fn judge(&self, _: Timestamp) -> Result<(), Refusal> {
        let mut texts = Texts::default();
        texts.name("$.name", &self.name);
        for (path, text, most) in [
            ("$.query", &self.query, QUERY_LENGTH_MAX),
            ("$.sort", &self.sort, SORT_LENGTH_MAX),
        ] {
            let length = text.chars().count();
            if length > most {
                texts.wrong(
                    path,
                    format!("has {length} characters; shorten it to {most}"),
                );
            }
        }
        if self.columns.len() > VIEW_COLUMNS_MAX {
            let count = self.columns.len();
            let message = format!("has {count} fields; choose {VIEW_COLUMNS_MAX} at most");
            texts.wrong("$.columns", message);
        }
        let is_id = |id: &String| (1..=NAME_LENGTH_MAX).contains(&id.chars().count());
        if let Some(at) = self.columns.iter().position(|id| !is_id(id)) {
            let message =
                format!("must be the id of a field, of {NAME_LENGTH_MAX} characters at most");
            texts.wrong(&format!("$.columns[{at}]"), message);
        }
        texts.judged()
    }

    fn name(&self) -> &str {
        &self.name
    }
}

/// The user that asks.
fn user_of(by: &Caller) -> Result<&Arc<User>, Refusal> {
    by.user()
        .ok_or_else(|| Refusal::Forbidden("only users have saved views".into()))
}

impl<'c> Sight<'c> {
    /// The dataset of an id, for who may see its records or what it is.
    fn seen_dataset(self, id: &str) -> Result<&'c Arc<Dataset>, Refusal> {
        let dataset = self.living::<Dataset>(id)?;
        // by the rights of management an administrator reaches all areas
        self.living::<SchemaEntry>(&dataset.schema)?;
        dataset
            .permit_under(self, Resource::Records, Verb::View)
            .or_else(|_| dataset.permit_under(self, Resource::Datasets, Verb::View))?;
        Ok(dataset)
    }

    /// The saved views of a user, in order of making.
    fn saved_views(self, user: &str) -> impl Iterator<Item = &'c Arc<SavedView>> {
        let own = self.catalog.saved_views.values();
        own.filter(move |it| it.user == user && self.seen_dataset(&it.dataset).is_ok())
    }

    /// One of them.
    fn saved_view(self, user: &str, id: &str) -> Result<&'c Arc<SavedView>, Refusal> {
        let own = self.catalog.saved_views.get(id);
        own.filter(|it| it.user == user && self.seen_dataset(&it.dataset).is_ok())
            .ok_or_else(|| Refusal::no_such("saved view"))
    }

    /// Refuses a name that another one of the same dataset has.
    fn require_free(
        self,
        user: &str,
        dataset: &str,
        content: &SavedViewContent,
        own: &str,
    ) -> Result<(), Refusal> {
        let name = &content.name;
        let mut others = self.saved_views(user);
        if others.any(|it| it.dataset == dataset && it.name == *name && it.id != own) {
            let text =
                format!("you have a saved view named {name:?} here already; choose another name");
            return Err(Refusal::Conflict(text.into()));
        }
        Ok(())
    }
}

/// How it is shown.
fn shown(view: &SavedView) -> SavedViewView {
    let view = view.clone();
    SavedViewView {
        saved_view_id: view.id,
        data_set_id: view.dataset,
        name: view.name,
        query: view.query,
        sort: view.sort,
        columns: view.columns,
        stamp: stamp_view(view.stamp),
    }
}

/// How the trail remembers it: what is looked for may be personal.
fn trail(view: &SavedView) -> SavedViewView {
    SavedViewView {
        query: masked(&view.query),
        ..shown(view)
    }
}

fn remember(
    change: &mut Change<'_>,
    action: AuditAction,
    before: Option<&SavedView>,
    after: Option<&SavedView>,
) {
    let Some(view) = before.or(after) else {
        return;
    };
    let documents = [before, after].map(|view| view.map(|view| document(&trail(view))));
    let [before, after] = documents;
    change.note(action, Kind::SavedView, &view.id, kept(before, after));
    change.in_area_of(Kind::Dataset, &view.dataset);
}

/// Removes those of a user that goes; its own entry in the trail says that it went.
pub(super) fn remove_saved_views(change: &mut Change<'_>, user: &str) {
    let own = change.catalog.saved_views.values();
    let keys = own.filter(|it| it.user == user).map(|it| NounKey {
        kind: Kind::SavedView,
        id: it.id.clone(),
    });
    change.remove_all(keys.collect());
}

/// Saved views of whoever asks.
impl Service {
    /// All of them, or those of a dataset, in order of making: no more than a user may have.
    ///
    /// # Errors
    /// The caller is no user.
    pub fn saved_views(
        &self,
        by: &Caller,
        dataset: Option<&str>,
    ) -> Result<Page<SavedViewView>, Refusal> {
        let caller = self.newest(by)?;
        let own = caller.sight().saved_views(&user_of(&caller)?.id);
        let own = own.filter(|it| dataset.is_none_or(|id| it.dataset == id));
        Ok(Page {
            items: own.map(|it| shown(it)).collect(),
            next_page_key: None,
        })
    }

    /// One of them.
    ///
    /// # Errors
    /// The caller is no user, or has no such view.
    pub fn saved_view(&self, by: &Caller, id: &str) -> Result<SavedViewView, Refusal> {
        let caller = self.newest(by)?;
        let user = user_of(&caller)?;
        Ok(shown(caller.sight().saved_view(&user.id, id)?))
    }

    /// Saves a view of a dataset.
    ///
    /// # Errors
    /// What is wrong with it, a name that is taken, more than a user may have; no such dataset, missing rights.
    pub async fn save_view(
        &self,
        by: &Caller,
        dataset: &str,
        content: SavedViewContent,
    ) -> Result<SavedViewView, Refusal> {
        let user = user_of(by)?.id.clone();
        content.judge(self.now())?;
        let id = ids::new_id(self.now(), self.entropy());
        let dataset = dataset.to_owned();
        let span = tracing::debug_span!("saved_views.create", id);
        let made = self.change(by, move |change| {
            let sight = change.sight();
            sight.seen_dataset(&dataset)?;
            sight.require_free(&user, &dataset, &content, "")?;
            if sight.saved_views(&user).count() >= SAVED_VIEWS_MAX {
                let text = format!(
                    "you have {SAVED_VIEWS_MAX} saved views, as many as may be; delete one"
                );
                return Err(Refusal::Conflict(text.into()));
            }
            let content = content.clone();
            let view = SavedView {
                id: id.clone(),
                tenant: change.tenant().to_owned(),
                user: user.clone(),
                dataset: dataset.clone(),
                name: content.name,
                query: content.query,
                sort: content.sort,
                columns: content.columns,
                stamp: change.stamp(),
            };
            change.put(view.clone());
            remember(change, AuditAction::Create, None, Some(&view));
            Ok(shown(&view))
        });
        made.instrument(span).await
    }

    /// Gives a saved view another content.
    ///
    /// # Errors
    /// What is wrong with it, a name that is taken, no such view.
    pub async fn change_saved_view(
        &self,
        by: &Caller,
        id: &str,
        content: SavedViewContent,
    ) -> Result<SavedViewView, Refusal> {
        let user = user_of(by)?.id.clone();
        content.judge(self.now())?;
        let span = tracing::debug_span!("saved_views.update", id);
        let id = id.to_owned();
        let changed = self.change(by, move |change| {
            let sight = change.sight();
            let old = sight.saved_view(&user, &id)?;
            sight.require_free(&user, &old.dataset, &content, &id)?;
            let content = content.clone();
            let view = SavedView {
                name: content.name,
                query: content.query,
                sort: content.sort,
                columns: content.columns,
                stamp: change.restamp(&old.stamp),
                ..SavedView::clone(old)
            };
            change.put(view.clone());
            remember(change, AuditAction::Update, Some(old), Some(&view));
            Ok(shown(&view))
        });
        changed.instrument(span).await
    }

    /// Deletes a saved view.
    ///
    /// # Errors
    /// No such view.
    pub async fn delete_saved_view(&self, by: &Caller, id: &str) -> Result<(), Refusal> {
        let user = user_of(by)?.id.clone();
        let span = tracing::debug_span!("saved_views.delete", id);
        let id = id.to_owned();
        let deleted = self.change(by, move |change| {
            let old = change.sight().saved_view(&user, &id)?;
            change.remove(Kind::SavedView, &id);
            remember(change, AuditAction::Delete, Some(old), None);
            Ok(())
        });
        deleted.instrument(span).await
    }
}
