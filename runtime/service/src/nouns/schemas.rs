//! Schemas: made and changed from schema-detail documents, judged whole. A change of structure is a new
//! version; records keep the one they were written with.

use super::change::Change;
use super::engine::{Nouns, same_version};
use super::noun::{Content as _, Noun, Restorable};
use super::read_schema::{ReadSchema, SchemaContent};
use super::schema_versions::{SchemaIdentity, first, judge_alike, next};
use super::sight::Sight;
use super::views::stamp_view;
use crate::listing::schema_item;
use crate::quota::Quota;
use crate::{Caller, PageRequest, Refusal, quota_rooms, quotas};
use schema::Schema;
use serde_json::value::RawValue;
use std::borrow::Cow;
use std::sync::Arc;
use store::catalog::{Area, AuditAction, Resource, Row as _, SchemaEntry, Verb};
use store::records::Shelf;
use wire::manage::SchemaView;
use wire::{Page, SchemaItem};

impl Noun for SchemaEntry {
    const RESOURCE: Resource = Resource::Schemas;
    const NAME: &'static str = "schema";
    const ONE: &'static str = "a schema";

    type New = ReadSchema;
    type Content = ReadSchema;
    type View = SchemaView;

    fn view(&self) -> SchemaView {
        let current = self.current();
        let entry = self.clone();
        SchemaView {
            schema_id: entry.id,
            name: current.schema.name.clone(),
            business_area_id: entry.area,
            state: entry.state,
            active: entry.active,
            deleted: entry.deleted,
            version: current.number,
            stamp: stamp_view(entry.stamp),
            document: RawValue::from_string(current.schema.to_json()).ok(),
        }
    }

    fn make(
        change: &mut Change<'_>,
        id: String,
        area: &str,
        new: &ReadSchema,
    ) -> Result<Self, Refusal> {
        let area = change.sight().living::<Area>(area)?;
        let is_own =
            change.rights().is_operator() && !new.has_made_id && is_free_id(change, &new.schema.id);
        let id = if is_own { new.schema.id.clone() } else { id };
        let identity = SchemaIdentity {
            id: &id,
            area: [&area.id, &area.name],
            stamp: change.stamp(),
            is_foreign: change.rights().is_operator(),
        };
        require_versions(change, 1, 0)?;
        let versions = vec![first(new.schema.clone(), &identity)?];
        Ok(SchemaEntry {
            tenant: change.tenant().to_owned(),
            area: area.id.clone(),
            state: new.state.clone(),
            active: new.active,
            deleted: false,
            versions,
            stamp: identity.stamp,
            id,
        })
    }

    fn with(&self, change: &mut Change<'_>, content: &ReadSchema) -> Result<Self, Refusal> {
        let area = change.sight().living::<Area>(&self.area)?;
        let identity = SchemaIdentity {
            id: &self.id,
            area: [&area.id, &area.name],
            stamp: change.restamp(&self.stamp),
            is_foreign: change.rights().is_operator(),
        };
        let versions = next(content.schema.clone(), &content.made_ids, self, &identity)?;
        if !change.rights().may(Resource::PersonalData, Verb::View) {
            let next = versions.last().map(|version| &version.schema);
            next.map_or(Ok(()), |next| require_masked(next, self))?;
        }
        if versions.len() > self.versions.len() {
            require_versions(change, 1, 0)?;
        }
        Ok(SchemaEntry {
            state: content.state.clone(),
            active: content.active,
            versions,
            ..self.clone()
        })
    }

    fn parent(&self) -> &str {
        &self.area
    }

    fn is_reachable(&self, catalog: &store::Catalog) -> bool {
        let area = catalog.areas.get(&self.area);
        area.is_some_and(|area| !area.deleted)
    }

    fn permit_new(change: &Change<'_>, area: &str, _: &ReadSchema) -> Result<(), Refusal> {
        let sight = change.sight();
        sight.living::<Area>(area)?;
        sight.rights.require_in(Resource::Schemas, Verb::Add, area)
    }

    fn permit_list(sight: Sight<'_>, area: &str) -> Result<(), Refusal> {
        sight.living::<Area>(area)?;
        sight.rights.require_in(Resource::Schemas, Verb::View, area)
    }

    fn permit(&self, sight: Sight<'_>, verb: Verb) -> Result<(), Refusal> {
        let rights = sight.rights;
        rights.require_in(Resource::Schemas, verb, &self.area)
    }

    fn require_parent(&self, sight: Sight<'_>) -> Result<(), Refusal> {
        sight.living::<Area>(&self.area).map(drop)
    }

    fn after_change(&self, old: &Self, change: &mut Change<'_>) -> Result<AuditAction, Refusal> {
        require_free_key(self, old, change);
        let is_new = self.versions.len() > old.versions.len();
        if is_new && !judge_alike(&self.current().schema, &old.current().schema) {
            change.revalidate(|schema| schema.id == self.id);
        }
        Ok(AuditAction::Update)
    }
}

/// Refuses to show what was personal when a version last had it. docs/interface.md, "Personal data".
fn require_masked(next: &Schema, old: &SchemaEntry) -> Result<(), Refusal> {
    let mut shown = next.fields.iter().filter(|field| !field.is_pii());
    match shown.find_map(|field| old.last_personal(&field.id)) {
        None => Ok(()),
        Some(field) => Err(Refusal::Forbidden(Cow::Owned(format!(
            "the values of `{}` are personal, and stay so; to show them takes a role with view of `PERSONAL DATA`",
            field.name
        )))),
    }
}

impl Restorable for SchemaEntry {
    fn require_room(&self, change: &Change<'_>) -> Result<(), Refusal> {
        require_versions(change, 0, self.versions.len() as u64)
    }

    fn after_restore(&self, change: &mut Change<'_>) {
        let catalog = change.catalog;
        change.revalidate_all(catalog.datasets_of(&self.id));
    }
}

impl Nouns<'_, SchemaEntry> {
    /// Makes a schema in an area.
    ///
    /// # Errors
    /// Every contradiction of the document; a name that is taken, no such area, missing rights.
    pub async fn define(
        self,
        by: &Caller,
        area: &str,
        content: SchemaContent,
    ) -> Result<Arc<SchemaEntry>, Refusal> {
        let read = ReadSchema::of(content, self.service)?;
        self.create(by, area, read).await
    }

    /// Changes a schema.
    ///
    /// # Errors
    /// Every contradiction of the document; a name that is taken, no such schema, missing rights.
    pub async fn redefine(
        self,
        by: &Caller,
        id: &str,
        content: SchemaContent,
    ) -> Result<Arc<SchemaEntry>, Refusal> {
        let read = ReadSchema::of(content, self.service)?;
        self.update(by, id, read).await
    }

    /// A schema as a change would make it: judged as that is, and not made.
    ///
    /// # Errors
    /// As [`redefine`](Self::redefine), but for a name that is taken.
    pub(crate) async fn drafted(
        self,
        by: &Caller,
        id: &str,
        content: SchemaContent,
    ) -> Result<SchemaEntry, Refusal> {
        let read = ReadSchema::of(content, self.service)?;
        let id = id.to_owned();
        let drafted = self.service.change(by, move |change| {
            let old = change.sight().find::<SchemaEntry>(&id, Verb::Edit)?;
            same_version(read.version(), Some(old.current().number))?;
            let new = old.with(change, &read)?;
            require_free_key(&new, old, change);
            Ok(new)
        });
        drafted.await
    }

    /// The schemas of an area as the interface lists them, or those of it that were deleted.
    ///
    /// # Errors
    /// No such area, missing rights, a bad page key.
    pub async fn list_items(
        self,
        by: &Caller,
        area: &str,
        shelf: Shelf,
        page: &PageRequest,
    ) -> Result<Page<SchemaItem>, Refusal> {
        let service = self.service;
        let mut found = self.list_uncounted(by, area, shelf, page)?;
        service.count_jobs(&mut found.items).await?;
        Ok(found)
    }

    /// The same without the jobs under way of each, for who shows none: the store is not asked.
    ///
    /// # Errors
    /// No such area, missing rights, a bad page key.
    pub fn list_uncounted(
        self,
        by: &Caller,
        area: &str,
        shelf: Shelf,
        page: &PageRequest,
    ) -> Result<Page<SchemaItem>, Refusal> {
        let caller = self.service.viewer(by, Resource::Schemas)?;
        let catalog = caller.catalog();
        let living = caller.sight().living::<Area>(area)?;
        self.page(&caller, area, shelf, page, |schema| {
            schema_item(catalog, living, schema)
        })
    }
}

/// Refuses more versions than the tenant may have, of those that are made and those of a deleted schema that come back.
fn require_versions(change: &Change<'_>, made: u64, restored: u64) -> Result<(), Refusal> {
    let quota = change.quotas.schema_versions;
    let count = quotas::count_versions(change.catalog, change.tenant());
    let used = count.restored(restored).used(quota);
    let before = used.saturating_sub(restored);
    quota_rooms::require(Quota::SchemaVersions, quota, before, restored + made)
}

/// Which field is the primary key, its activity, type and formats can change only while no dataset of the schema holds a
/// live record; deleted datasets count: they may come back. One of those is told where it is the only kind that does.
fn require_free_key(new: &SchemaEntry, old: &SchemaEntry, change: &mut Change<'_>) {
    if new.current().key_facts() == old.current().key_facts() {
        return;
    }
    let rights = change.rights();
    let seen = rights.require_in(Resource::Datasets, Verb::View, &new.area);
    let sees_datasets = seen.is_ok();
    let datasets = change.catalog.datasets.values();
    let own = datasets.filter(|dataset| dataset.schema == new.id);
    let (deleted, living): (Vec<_>, Vec<_>) = own.partition(|dataset| dataset.deleted);
    let refusals = living.into_iter().chain(deleted).map(|dataset| {
        let refusal = if dataset.deleted && sees_datasets {
            key_is_fixed_by(&dataset.name)
        } else {
            key_is_fixed()
        };
        (dataset.number, refusal)
    });
    change.require_empty(refusals.collect());
}

fn key_is_fixed_by(deleted: &str) -> Refusal {
    Refusal::Conflict(Cow::Owned(format!(
        "which field is the primary key, its activity, type and formats can change only while the schema's \
         datasets hold no live records, and the deleted dataset {deleted:?} holds some; restore it first and delete them, or \
         make another schema"
    )))
}

fn key_is_fixed() -> Refusal {
    Refusal::Conflict(
        "which field is the primary key, its activity, type and formats can change only while the schema's \
         datasets hold no live records; delete the records first, or make another schema"
            .into(),
    )
}

/// Whether an id can stand in an address and names no schema yet.
fn is_free_id(change: &Change<'_>, id: &str) -> bool {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte);
    (1..=64).contains(&id.len())
        && id.bytes().all(is_plain)
        && id.bytes().any(|byte| byte != b'.')
        && !SchemaEntry::all(change.catalog).contains_key(id)
}
