//! Schemas: made and changed from schema-detail documents, judged whole. A change of structure is a new
//! version; records keep the one they were written with.

use super::draft::Draft;
use super::lists::Sight;
use super::names::{same_version, taken};
use super::schema_change::{Making, first, next, read};
use super::{Denied, SchemaView, areas};
use crate::catalog::schema_item;
use crate::manage::Content;
use crate::manage::View;
use crate::{Caller, PageRequest, Service, ids};
use std::sync::Arc;
use store::catalog::{Resource, SchemaEntry, Verb};
use store::records::Shelf;
use wire::Timestamp;
use wire::{Page, SchemaItem};

/// The states that we write. Decisions section 4.
const STATES: [&str; 2] = ["draft", "published"];

/// A schema to be made.
#[derive(Clone, Debug)]
pub struct NewSchema {
    /// The area that is to hold it.
    pub area: String,
    /// What it is.
    pub content: SchemaContent,
}

/// What can be said of a schema.
#[derive(Clone, Debug)]
pub struct SchemaContent {
    /// The schema-detail document. Ids of fields are kept; ids, version and provenance of the schema are
    /// the service's own (the operator's `schemaId` is kept if it is free).
    pub document: String,
    /// `draft` or `published`.
    pub state: String,
    /// Whether it is active.
    pub active: bool,
    /// In a change: the version it was made from, if that is to be compared.
    pub version: Option<i64>,
}

impl Content for SchemaContent {
    fn judge(&self, _now: Timestamp) -> Result<(), Denied> {
        self.judge_state()?;
        read(&self.document).map(drop)
    }
}

impl SchemaContent {
    fn judge_state(&self) -> Result<(), Denied> {
        if STATES.contains(&self.state.as_str()) {
            return Ok(());
        }
        Err(Denied::invalid("$.state", "must be `draft` or `published`"))
    }
}

impl Service {
    /// Makes a schema in an area.
    ///
    /// # Errors
    /// Every contradiction of the document; a name that is taken, no such area, missing rights.
    pub async fn create_schema(
        &self,
        by: &Caller,
        new: NewSchema,
    ) -> Result<Arc<SchemaEntry>, Denied> {
        let NewSchema { area, content } = new;
        content.judge_state()?;
        let schema = read(&content.document)?;
        let id = ids::new_id(self.now(), self.entropy());
        self.change(by, move |draft| {
            draft.require(Resource::Schemas, Verb::Add)?;
            let area = areas::living(draft, &area)?;
            draft
                .rights
                .require_in(Resource::Schemas, Verb::Add, &area.id)?;
            free(draft, &area.id, &schema.name, "")?;
            let id = if draft.rights.is_operator() && is_free_id(draft, &schema.id) {
                schema.id.clone()
            } else {
                id.clone()
            };
            let making = Making {
                id: &id,
                area: [&area.id, &area.name],
                stamp: draft.stamp(),
            };
            let entry = draft.put(SchemaEntry {
                id: id.clone(),
                tenant: draft.tenant().to_owned(),
                area: area.id.clone(),
                state: content.state.clone(),
                active: content.active,
                deleted: false,
                versions: vec![first(schema.clone(), &making)?],
                stamp: making.stamp,
            });
            draft.remember(
                "create",
                ["schema", &id],
                None,
                Some(SchemaView::of(&entry)),
            );
            Ok(entry)
        })
        .await
    }

    /// Changes a schema. Which field is the primary key, its activity, type and formats can change only
    /// while no dataset of the schema holds a live record.
    ///
    /// # Errors
    /// Every contradiction of the document; a name that is taken, no such schema, missing rights.
    pub async fn update_schema(
        &self,
        by: &Caller,
        schema: &str,
        content: SchemaContent,
    ) -> Result<Arc<SchemaEntry>, Denied> {
        content.judge_state()?;
        let document = read(&content.document)?;
        let id = schema.to_owned();
        self.change(by, move |draft| {
            let old = schema_of(draft, &id, Verb::Edit)?;
            same_version(content.version, old.current().number)?;
            free(draft, &old.area, &document.name, &id)?;
            let area = areas::living(draft, &old.area)?;
            let making = Making {
                id: &id,
                area: [&area.id, &area.name],
                stamp: draft.restamp(&old.stamp),
            };
            let versions = next(document.clone(), &old, &making)?;
            let new = SchemaEntry {
                state: content.state.clone(),
                active: content.active,
                versions,
                stamp: making.stamp,
                ..(*old).clone()
            };
            if new.current().key_facts() != old.current().key_facts() {
                // deleted datasets count: they may come back
                let datasets = draft.catalog.datasets.values();
                let own = datasets.filter(|dataset| dataset.schema == id);
                draft.require_empty(own.map(|dataset| dataset.number).collect(), key_is_fixed());
            }
            let new = draft.put(new);
            let views = (Some(SchemaView::of(&old)), Some(SchemaView::of(&new)));
            draft.remember("update", ["schema", &id], views.0, views.1);
            Ok(new)
        })
        .await
    }

    /// Deletes a schema: it and its datasets are no longer found, and nothing is lost.
    ///
    /// # Errors
    /// No such schema, missing rights.
    pub async fn delete_schema(&self, by: &Caller, schema: &str) -> Result<(), Denied> {
        let id = schema.to_owned();
        self.change(by, move |draft| {
            let old = schema_of(draft, &id, Verb::Delete)?;
            draft.put(SchemaEntry {
                deleted: true,
                stamp: draft.restamp(&old.stamp),
                ..(*old).clone()
            });
            draft.remember("delete", ["schema", &id], Some(SchemaView::of(&old)), None);
            Ok(())
        })
        .await
    }

    /// Takes the deletion of a schema back.
    ///
    /// # Errors
    /// No such deleted schema, a name that was taken meanwhile, missing rights.
    pub async fn restore_schema(
        &self,
        by: &Caller,
        schema: &str,
    ) -> Result<Arc<SchemaEntry>, Denied> {
        let id = schema.to_owned();
        self.change(by, move |draft| {
            draft.require(Resource::Schemas, Verb::Delete)?;
            let own = |entry: &&Arc<SchemaEntry>| entry.tenant == draft.tenant() && entry.deleted;
            let old = draft.catalog.schemas.get(&id).filter(own).cloned();
            let old = old.ok_or(Denied::NotFound("deleted schema"))?;
            areas::living(draft, &old.area)?;
            draft
                .rights
                .require_in(Resource::Schemas, Verb::Delete, &old.area)?;
            free(draft, &old.area, &old.current().schema.name, &id)?;
            let new = draft.put(SchemaEntry {
                deleted: false,
                stamp: draft.restamp(&old.stamp),
                ..(*old).clone()
            });
            draft.remember("restore", ["schema", &id], None, Some(SchemaView::of(&new)));
            Ok(new)
        })
        .await
    }

    /// The schemas of an area, or those of it that were deleted.
    ///
    /// # Errors
    /// No such area, missing rights, a bad page key.
    pub fn schemas(
        &self,
        by: &Caller,
        area: &str,
        shelf: Shelf,
        page: &PageRequest,
    ) -> Result<Page<SchemaItem>, Denied> {
        let sight = self.sight(by, Resource::Schemas)?;
        let own = sight.catalog.areas.get(area);
        let own = own.filter(|area| area.tenant == sight.tenant && !area.deleted);
        let area = own.ok_or(Denied::NotFound("area"))?;
        sight
            .rights
            .require_in(Resource::Schemas, Verb::View, &area.id)?;
        let made = |schema: &SchemaEntry| schema.stamp.created_at;
        let scope = format!("{shelf:?} schemas {}", area.id);
        self.noun_page(&scope, page, (&sight.catalog.schemas, made), |schema| {
            let shown = schema.area == area.id && shelf.holds(schema.deleted);
            shown.then(|| schema_item(&sight.catalog, area, schema))
        })
    }

    /// One schema.
    ///
    /// # Errors
    /// No such schema, missing rights.
    pub fn schema(&self, by: &Caller, id: &str) -> Result<Arc<SchemaEntry>, Denied> {
        let sight = self.sight(by, Resource::Schemas)?;
        let entry = seen(&sight, id)?;
        sight
            .rights
            .require_in(Resource::Schemas, Verb::View, &entry.area)?;
        Ok(entry)
    }
}

fn key_is_fixed() -> Denied {
    Denied::Conflict(
        "which field is the primary key, its activity, type and formats can change only while the schema's \
         datasets hold no live records; delete the records first, or make another schema"
            .to_owned(),
    )
}

/// A living schema of the tenant in a living area, for a reader.
pub(super) fn seen(sight: &Sight, id: &str) -> Result<Arc<SchemaEntry>, Denied> {
    let own = |entry: &&Arc<SchemaEntry>| entry.tenant == sight.tenant && !entry.deleted;
    let entry = sight.catalog.schemas.get(id).filter(own);
    let entry = entry.cloned().ok_or(Denied::NotFound("schema"))?;
    let area = sight.catalog.areas.get(&entry.area);
    area.filter(|area| !area.deleted)
        .ok_or(Denied::NotFound("schema"))?;
    Ok(entry)
}

/// A living schema of the tenant in a living area.
pub(super) fn living(draft: &Draft<'_>, id: &str) -> Result<Arc<SchemaEntry>, Denied> {
    let own = |entry: &&Arc<SchemaEntry>| entry.tenant == draft.tenant() && !entry.deleted;
    let entry = draft.catalog.schemas.get(id).filter(own);
    let entry = entry.cloned().ok_or(Denied::NotFound("schema"))?;
    areas::living(draft, &entry.area).map_err(|_| Denied::NotFound("schema"))?;
    Ok(entry)
}

fn schema_of(draft: &Draft<'_>, id: &str, verb: Verb) -> Result<Arc<SchemaEntry>, Denied> {
    draft.require(Resource::Schemas, verb)?;
    let entry = living(draft, id)?;
    draft
        .rights
        .require_in(Resource::Schemas, verb, &entry.area)?;
    Ok(entry)
}

fn free(draft: &Draft<'_>, area: &str, name: &str, own: &str) -> Result<(), Denied> {
    let mut others = draft.catalog.schemas_of(area);
    if others.any(|entry| entry.current().schema.name == name && entry.id != own) {
        return Err(taken("a schema", name));
    }
    Ok(())
}

/// Whether an id can stand in an address and names no schema yet.
fn is_free_id(draft: &Draft<'_>, id: &str) -> bool {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte);
    (1..=64).contains(&id.len())
        && id.bytes().all(is_plain)
        && id.bytes().any(|byte| byte != b'.')
        && !draft.catalog.schemas.contains_key(id)
}
