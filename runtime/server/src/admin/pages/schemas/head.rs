//! What every page of a schema begins with, and who may see and do what there.

use crate::admin::pages::numbers::moment;
use crate::admin::pages::texts::Texts;
use crate::admin::pages::visit::Visit;
use service::catalog::{Resource, SchemaEntry, Verb};
use service::manage::VersionAuthor;
use service::{Caller, Refusal};
use std::sync::Arc;

/// What every page of a schema begins with.
pub(super) struct Head {
    pub(super) id: String,
    pub(super) name: String,
    pub(super) area_id: String,
    pub(super) area: String,
    pub(super) is_draft: bool,
    pub(super) is_active: bool,
    pub(super) state: &'static str,
    pub(super) version: i64,
}

impl Head {
    pub(super) fn of<P>(visit: &Visit<P>, schema: &SchemaEntry) -> Self {
        let current = schema.current();
        Head {
            id: schema.id.clone(),
            name: current.schema.name.clone(),
            area_id: schema.area.clone(),
            area: current.schema.area_name.clone().unwrap_or_default(),
            is_draft: schema.state == "draft",
            is_active: schema.active,
            state: state_named(&schema.state, visit.texts),
            version: current.number,
        }
    }
}

/// When and by whom a version was written, on a line.
pub(super) fn written(author: &VersionAuthor) -> String {
    let at = author.at.map(|at| moment(at) + " · ").unwrap_or_default();
    at + &author.name
}

/// A schema that the visitor may see.
///
/// # Errors
/// No such schema, missing rights.
pub(super) fn find<P>(visit: &Visit<P>, id: &str) -> Result<Arc<SchemaEntry>, Refusal> {
    visit.site.service.schemas().get(&visit.caller, id)
}

/// Whether a visitor may do this to the schemas of an area.
pub(super) fn may(caller: &Caller, area: &str, verb: Verb) -> bool {
    let rights = caller.rights();
    rights.may(Resource::Schemas, verb) && rights.manages(area, verb)
}

/// What a state is called.
pub(super) fn state_named(state: &str, texts: &Texts) -> &'static str {
    if state == "draft" {
        texts.schemas.state_draft
    } else {
        texts.schemas.state_published
    }
}
