//! Business areas. Whoever makes one may do everything in it.

use super::draft::Draft;
use super::names::{Texts, same_version, taken};
use super::{ApiKeyView, AppView, AreaView, Denied};
use crate::manage::AreaContent;
use crate::manage::Content;
use crate::manage::View;
use crate::manage::views::masked_user;
use crate::{Caller, PageRequest, Service, ids};
use std::sync::Arc;
use store::catalog::{ActorKind, ApiKey, App, Area, Grant, Resource, User, Verb, Verbs};
use store::records::Shelf;
use wire::Page;
use wire::Timestamp;

impl Content for AreaContent {
    fn judge(&self, _now: Timestamp) -> Result<(), Denied> {
        let mut texts = Texts::default();
        texts.name("$.name", &self.name);
        texts
            .description("$.description", &self.description)
            .judged()
    }
}

impl Service {
    /// Makes an area.
    ///
    /// # Errors
    /// What is wrong with it, a name that is taken, missing rights.
    pub async fn create_area(
        &self,
        by: &Caller,
        content: AreaContent,
    ) -> Result<Arc<Area>, Denied> {
        content.judge(self.now())?;
        let id = ids::new_id(self.now(), self.entropy());
        self.change(by, move |draft| {
            draft.require(Resource::Areas, Verb::Add)?;
            free(draft, &content.name, "")?;
            let area = draft.put(Area {
                id: id.clone(),
                tenant: draft.tenant().to_owned(),
                name: content.name.clone(),
                description: content.description.clone(),
                active: content.active,
                deleted: false,
                version: 1,
                stamp: draft.stamp(),
            });
            grant_to_maker(draft, &id);
            draft.remember("create", ["area", &id], None, Some(AreaView::of(&area)));
            Ok(area)
        })
        .await
    }

    /// Changes an area.
    ///
    /// # Errors
    /// What is wrong with it, a name that is taken, missing rights.
    pub async fn update_area(
        &self,
        by: &Caller,
        area: &str,
        content: AreaContent,
    ) -> Result<Arc<Area>, Denied> {
        content.judge(self.now())?;
        let id = area.to_owned();
        self.change(by, move |draft| {
            let old = area_of(draft, &id, Verb::Edit)?;
            same_version(content.version, old.version)?;
            free(draft, &content.name, &id)?;
            let new = draft.put(Area {
                name: content.name.clone(),
                description: content.description.clone(),
                active: content.active,
                version: old.version + 1,
                stamp: draft.restamp(&old.stamp),
                ..(*old).clone()
            });
            let views = (Some(AreaView::of(&old)), Some(AreaView::of(&new)));
            draft.remember("update", ["area", &id], views.0, views.1);
            Ok(new)
        })
        .await
    }

    /// Deletes an area: it and all below it are no longer found, and nothing is lost.
    ///
    /// # Errors
    /// No such area, missing rights.
    pub async fn delete_area(&self, by: &Caller, area: &str) -> Result<(), Denied> {
        let id = area.to_owned();
        self.change(by, move |draft| {
            let old = area_of(draft, &id, Verb::Delete)?;
            draft.put(Area {
                deleted: true,
                version: old.version + 1,
                stamp: draft.restamp(&old.stamp),
                ..(*old).clone()
            });
            draft.remember("delete", ["area", &id], Some(AreaView::of(&old)), None);
            Ok(())
        })
        .await
    }

    /// Takes the deletion of an area back.
    ///
    /// # Errors
    /// No such deleted area, a name that was taken meanwhile, missing rights.
    pub async fn restore_area(&self, by: &Caller, area: &str) -> Result<Arc<Area>, Denied> {
        let id = area.to_owned();
        self.change(by, move |draft| {
            draft.require(Resource::Areas, Verb::Delete)?;
            let own = |area: &&Arc<Area>| area.tenant == draft.tenant() && area.deleted;
            let old = draft.catalog.areas.get(&id).filter(own);
            let old = old.cloned().ok_or(Denied::NotFound("deleted area"))?;
            draft
                .rights
                .require_in(Resource::Areas, Verb::Delete, &id)?;
            free(draft, &old.name, &id)?;
            let new = draft.put(Area {
                deleted: false,
                version: old.version + 1,
                stamp: draft.restamp(&old.stamp),
                ..(*old).clone()
            });
            draft.remember("restore", ["area", &id], None, Some(AreaView::of(&new)));
            Ok(new)
        })
        .await
    }

    /// The areas that the caller manages, or managed until they were deleted.
    ///
    /// # Errors
    /// Missing rights, a bad page key.
    pub fn areas(
        &self,
        by: &Caller,
        shelf: Shelf,
        page: &PageRequest,
    ) -> Result<Page<AreaView>, Denied> {
        let sight = self.sight(by, Resource::Areas)?;
        let scope = format!("{shelf:?} areas {}", sight.tenant);
        let made = |area: &Area| area.stamp.created_at;
        self.noun_page(&scope, page, (&sight.catalog.areas, made), |area| {
            let shown = area.tenant == sight.tenant
                && shelf.holds(area.deleted)
                && sight.rights.reaches(&area.id, Verb::View);
            shown.then(|| AreaView::of(area))
        })
    }

    /// One area.
    ///
    /// # Errors
    /// No such area, missing rights.
    pub fn area(&self, by: &Caller, id: &str) -> Result<Arc<Area>, Denied> {
        let sight = self.sight(by, Resource::Areas)?;
        let own = |area: &&Arc<Area>| area.tenant == sight.tenant && !area.deleted;
        let area = sight.catalog.areas.get(id).filter(own);
        let area = area.cloned().ok_or(Denied::NotFound("area"))?;
        sight.rights.require_in(Resource::Areas, Verb::View, id)?;
        Ok(area)
    }
}

/// A living area of the tenant, for someone who may do this to it.
fn area_of(draft: &Draft<'_>, id: &str, verb: Verb) -> Result<Arc<Area>, Denied> {
    draft.require(Resource::Areas, verb)?;
    let area = living(draft, id)?;
    draft.rights.require_in(Resource::Areas, verb, id)?;
    Ok(area)
}

/// A living area of the tenant.
pub(super) fn living(draft: &Draft<'_>, id: &str) -> Result<Arc<Area>, Denied> {
    let own = |area: &&Arc<Area>| area.tenant == draft.tenant() && !area.deleted;
    let area = draft.catalog.areas.get(id).filter(own);
    area.cloned().ok_or(Denied::NotFound("area"))
}

fn free(draft: &Draft<'_>, name: &str, own: &str) -> Result<(), Denied> {
    let mut others = draft.catalog.areas_of(draft.tenant());
    if others.any(|area| area.name == name && area.id != own) {
        return Err(taken("an area", name));
    }
    Ok(())
}

fn grant_to_maker(draft: &mut Draft<'_>, area: &str) {
    let (catalog, maker) = (draft.catalog, draft.asker.actor.id.clone());
    let with = |grants: &[Grant]| {
        let everything = Grant {
            area: area.to_owned(),
            verbs: Verbs::ALL,
        };
        [grants, &[everything]].concat()
    };
    match draft.asker.actor.kind {
        ActorKind::Operator => {}
        ActorKind::User => {
            if let Some(old) = catalog.users.get(&maker) {
                let new = draft.put(User {
                    grants: with(&old.grants),
                    ..(**old).clone()
                });
                let views = (Some(masked_user(old)), Some(masked_user(&new)));
                draft.remember("update", ["user", &maker], views.0, views.1);
            }
        }
        ActorKind::ApiKey => {
            if let Some(old) = catalog.api_keys.get(&maker) {
                let new = draft.put(ApiKey {
                    grants: with(&old.grants),
                    ..(**old).clone()
                });
                let views = (Some(ApiKeyView::of(old)), Some(ApiKeyView::of(&new)));
                draft.remember("update", ["api_key", &maker], views.0, views.1);
            }
        }
        ActorKind::App => {
            if let Some(old) = catalog.apps.get(&maker) {
                let new = draft.put(App {
                    grants: with(&old.grants),
                    ..(**old).clone()
                });
                let views = (Some(AppView::of(old)), Some(AppView::of(&new)));
                draft.remember("update", ["app", &maker], views.0, views.1);
            }
        }
    }
}
