//! Schemas of a manifest: their documents are read as a request's would be, with the store's ids of the
//! manifest's domains, and compared without what the service itself adds.

use crate::access::{Access, Sight, Tenancy};
use crate::applier::explain;
use crate::bindings::name_domains;
use crate::by::By;
use crate::fields;
use crate::model::{Document, Schema};
use crate::report::{FieldChange, PropertyChange};
use crate::spec::{Edit, Receipt, Spec};
use crate::unknown_properties;
use anyhow::{Context as _, anyhow, bail};
use schema::{self, Origin, Provenance};
use service::manage::{Noun as _, SchemaContent, judge_names};
use service::{Refusal, ids};
use store::Catalog;
use store::catalog::SchemaEntry;

/// The state of a new schema that says none.
const PUBLISHED: &str = "published";

/// A schema of a manifest, its document read.
pub(crate) struct ReadSchema<'a> {
    wanted: &'a Schema,
    document: schema::Schema,
    /// What looks wrong with the document and does no harm.
    pub(crate) warnings: Vec<String>,
}

impl<'a> ReadSchema<'a> {
    /// Reads its document, and finds which field is which of the schema of its name in an area, by the area's id.
    pub(crate) fn of(
        wanted: &'a Schema,
        catalog: &Catalog,
        tenancy: Tenancy<'_>,
        area: &str,
        sight: Sight<'_>,
    ) -> anyhow::Result<Self> {
        let path = path(wanted);
        let schema::Document {
            schema: mut document,
            warnings: found,
            has_made_id,
            made_field_ids,
        } = document(wanted, path)?;
        let mut warnings = unknown_properties::warnings(&document, path);
        let is_told = |path: &str| found.iter().any(|it| it.path.to_string() == path);
        warnings.extend(
            found
                .iter()
                .map(|it| format!("the schema {} ({path}): {it}", document.name)),
        );
        let tenant = tenancy.id.unwrap_or_default();
        let old = SchemaEntry::namesake(catalog, tenant, area, &document.name);
        let known = old.map(|old| &old.current().schema);
        let new_id = || ids::new_id(sight.service.now(), sight.service.entropy());
        if has_made_id {
            document.id = new_id();
        }
        fields::find_ids(&mut document, &made_field_ids, known, new_id)?;
        let is_foreign = matches!(sight.by, By::Operator);
        let names = judge_names(&document, known, is_foreign).map_err(explain)?;
        let names = names.iter().filter(|name| !is_told(&name.path));
        warnings.extend(names.map(|it| {
            format!(
                "the schema {} ({path}): {}: {}",
                document.name, it.path, it.message
            )
        }));
        name_domains(&mut document, catalog, tenancy, known, sight)
            .with_context(|| format!("the schema {} ({path})", document.name))?;
        Ok(ReadSchema {
            wanted,
            document,
            warnings,
        })
    }

    /// What becomes of the fields of the one that is there, with their ids.
    pub(crate) fn field_changes(&self, old: &SchemaEntry) -> Vec<(String, FieldChange)> {
        fields::changes(&old.current().schema, &self.document)
    }
}

impl Spec for ReadSchema<'_> {
    type Noun = SchemaEntry;
    type Content = SchemaContent;

    fn name(&self) -> &str {
        &self.document.name
    }

    fn content(&self, _: &Access, old: Option<&SchemaEntry>) -> anyhow::Result<SchemaContent> {
        let state = self.wanted.state.as_ref().or(old.map(|old| &old.state));
        let active = self.wanted.active.or(old.map(|old| old.active));
        Ok(SchemaContent {
            document: self.document.to_json(),
            state: state.map_or(PUBLISHED, String::as_str).to_owned(),
            active: active.unwrap_or(true),
            version: None,
        })
    }

    fn changes(&self, old: &SchemaEntry, content: &SchemaContent) -> Vec<PropertyChange> {
        let (was, is) = (&old.current().schema, &self.document);
        PropertyChange::among([
            (
                "description",
                was.description.clone().into(),
                is.description.clone().into(),
            ),
            (
                "state",
                old.state.as_str().into(),
                content.state.as_str().into(),
            ),
            ("active", old.active.into(), content.active.into()),
        ])
    }

    fn is_same(&self, old: &SchemaEntry, content: &SchemaContent) -> bool {
        old.state == content.state
            && old.active == content.active
            && bare(&self.document, old) == bare(&old.current().schema, old)
    }

    async fn write(edit: Edit<'_, Self>) -> Result<Receipt, Refusal> {
        let (schemas, content) = (edit.service.schemas(), edit.content);
        let schema = match edit.id {
            None => schemas.define(&edit.by, edit.parent, content).await?,
            Some(id) => schemas.redefine(&edit.by, id, content).await?,
        };
        Ok(Receipt::of(&schema.id))
    }
}

/// Where a document stands, as people are told.
fn path(wanted: &Schema) -> &str {
    match &wanted.document {
        Document::Text(text) => &text.path,
        Document::Inline(_) => "the manifest",
        Document::File(path) => path,
    }
}

/// The schema of a document.
fn document(wanted: &Schema, path: &str) -> anyhow::Result<schema::Document> {
    let text = match &wanted.document {
        Document::Text(text) => text.text.clone(),
        Document::Inline(value) => value.to_string(),
        Document::File(path) => bail!("{path} was not read"),
    };
    let read = schema::Schema::read(&text, Origin::Created);
    let schema = read.map_err(|problems| {
        let lines = problems.items.iter().map(ToString::to_string);
        anyhow!(
            "the schema in {path}:\n  {}",
            lines.collect::<Vec<_>>().join("\n  ")
        )
    })?;
    Ok(schema)
}

/// A schema without what the service itself adds, its fields in the order that it would give them: equal ones need no
/// change.
fn bare(schema: &schema::Schema, there: &SchemaEntry) -> schema::Schema {
    let old = &there.current().schema;
    let mut schema = schema.clone();
    schema.order_fields(old);
    for field in &mut schema.fields {
        field.provenance = Provenance::default();
    }
    schema::Schema {
        id: String::new(),
        area_id: None,
        area_name: None,
        version: None,
        provenance: Provenance::default(),
        ..schema
    }
}
