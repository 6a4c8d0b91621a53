//! Who looks, and where: the datasets that a caller may view and the filters let through, with the fields that it may look
//! into. It asks no index.

use super::{SearchRequest, versions};
use crate::Caller;
use schema::Field;
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;
use store::catalog::{Area, Catalog, Dataset, SchemaEntry, Verb};
use store::search::{Aim, AimField, AimFields, FieldName};

/// A dataset that a search looks into, and what its hits are called.
#[derive(Clone, Copy)]
pub(super) struct Target<'c> {
    pub(super) area: &'c Area,
    pub(super) schema: &'c SchemaEntry,
    pub(super) dataset: &'c Dataset,
}

/// Who looks, and whether for personal values too.
#[derive(Clone, Copy)]
pub(super) struct Looker<'c> {
    pub(super) caller: &'c Caller,
    sees_personal: bool,
    /// Whether the trail tells what personal values it looks for.
    is_told: bool,
}

impl<'c> Looker<'c> {
    /// A program at the data interface, where records are whole for it.
    pub(super) fn of_program(caller: &'c Caller) -> Self {
        Looker {
            caller,
            sees_personal: true,
            is_told: false,
        }
    }

    /// One at management, and a user at the data interface.
    pub(super) fn of_management(caller: &'c Caller) -> Self {
        Looker {
            caller,
            sees_personal: caller.sees_personal(),
            is_told: true,
        }
    }

    pub(super) fn is_told(self) -> bool {
        self.is_told
    }

    pub(super) fn may_look_for(self, field: &Field) -> bool {
        self.sees_personal || !field.is_pii()
    }
}

/// The name a filter asks for; `None` is everything.
pub(super) fn wanted(filter: Option<&String>) -> Option<&str> {
    filter
        .map(String::as_str)
        .filter(|name| !name.is_empty() && *name != "all")
}

/// The datasets that the caller may view and the filters let through, by number.
pub(super) fn targets<'c>(
    caller: &'c Caller,
    request: &SearchRequest,
) -> BTreeMap<u32, Target<'c>> {
    let catalog: &Catalog = caller.catalog();
    let rights = caller.rights();
    let is_wanted = |filter: &Option<String>, name: &str| {
        wanted(filter.as_ref()).is_none_or(|wanted| wanted == name)
    };
    let areas = catalog.areas_of(caller.tenant()).filter(|area| {
        rights.reaches(&area.id, Verb::View) && is_wanted(&request.area, &area.name)
    });
    let areas: HashMap<&str, &Area> = areas.map(|area| (area.id.as_str(), &**area)).collect();
    let schemas = catalog.schemas.values().filter(|schema| {
        !schema.deleted
            && areas.contains_key(schema.area.as_str())
            && is_wanted(&request.schema, &schema.current().schema.name)
    });
    let schemas: HashMap<&str, &SchemaEntry> = schemas
        .map(|schema| (schema.id.as_str(), &**schema))
        .collect();
    let target = |dataset: &'c Arc<Dataset>| {
        let schema = *schemas.get(dataset.schema.as_str())?;
        let area = *areas.get(schema.area.as_str())?;
        let only = request.dataset_id.as_ref();
        let is_shown = !dataset.deleted
            && is_wanted(&request.dataset, &dataset.name)
            && only.is_none_or(|id| *id == dataset.id);
        is_shown.then_some((
            dataset.number,
            Target {
                area,
                schema,
                dataset,
            },
        ))
    };
    catalog.datasets.values().filter_map(target).collect()
}

/// Where the index has to look, and the versions that it has to know. Which of them do not have a field is told only to
/// who looks for what is missing: it takes longer than everything else here.
pub(super) fn aims<'c>(
    targets: &BTreeMap<u32, Target<'c>>,
    looker: Looker<'_>,
    is_about_missing: bool,
) -> (Vec<Aim>, BTreeMap<&'c str, i64>) {
    let mut fields: HashMap<&str, Arc<AimFields>> = HashMap::new();
    let mut aims = Vec::with_capacity(targets.len());
    let mut versions = BTreeMap::new();
    for (number, target) in targets {
        let schema = target.schema;
        versions.insert(schema.id.as_str(), schema.current().number);
        let fields = fields.entry(&schema.id).or_insert_with(|| {
            let active = schema.current().schema.active_fields();
            let active = active.map(|field| AimField {
                name: FieldName::of(&field.name),
                id: field.id.as_str().into(),
                is_list: field.is_multivalue(),
                has_words: looker.may_look_for(field),
                unknown_to: if is_about_missing {
                    versions::unknown_to(schema, &field.id)
                } else {
                    Arc::default()
                },
            });
            Arc::new(AimFields {
                schema: schema.id.as_str().into(),
                active: active.collect(),
            })
        });
        aims.push(Aim {
            dataset: *number,
            fields: fields.clone(),
        });
    }
    (aims, versions)
}
