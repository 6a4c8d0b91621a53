//! The enum of a static picklist, a variant for each code.
//!
//! ```text
//! /// A code of the picklist `Kind` of the schema `City`, version 3.
//! #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Picklist)]
//! pub enum CityKind {
//!     /// A port on the sea.
//!     P,
//!     /// The code `Inland`.
//!     #[code("Inland", description = false, extra = r#"{"order":2}"#)]
//!     Inland,
//! }
//! ```

use super::attributes::{allows, derive, given};
use super::docs::{Docs, unless_described};
use super::settings::AttributeSettings;
use super::{literal, markdown};
use crate::name::ident;
use crate::plan::{EnumPlan, ModulePlan, OF_PICKLIST, VariantPlan};
use crate::syntax::{Argument, Attribute, Body, Declaration};
use schema::PicklistEntry;

/// The enum with its attributes.
pub(super) fn picklist(module: &ModulePlan<'_>, picklist: &EnumPlan<'_>) -> Declaration {
    let field = markdown::code(&picklist.source.name);
    let schema = markdown::code(&module.schema.name);
    let version = module.schema.version;
    let version = version.map_or_else(String::new, |version| format!(", version {version}"));
    let about = format!("A code of the picklist {field} of the schema {schema}{version}.");
    let mut attributes = vec![derive(OF_PICKLIST, &picklist.derives)];
    if module.is_runtime_renamed {
        let path = format!("crate = {}", module.runtime);
        attributes.push(Attribute::of_words("picklist", [path]));
    }
    attributes.extend(allows(&picklist.allows));
    attributes.extend(given(&picklist.attributes));
    Declaration {
        docs: markdown::wrap(&about, 0),
        attributes,
        head: format!("pub enum {}", ident(&picklist.name)),
        body: Body::Members(picklist.variants.iter().map(variant).collect()),
    }
}

fn variant(variant: &VariantPlan<'_>) -> Declaration {
    let entry = variant.entry;
    let about = format!("The code {}.", markdown::code(&entry.code));
    let facts = unless_described(entry.description.as_deref(), &about);
    let docs = Docs::new(entry.description.as_deref(), facts, 4);
    let code = code(entry, &variant.name, &docs);
    Declaration {
        docs: docs.lines,
        attributes: code.into_iter().chain(given(&variant.attributes)).collect(),
        head: ident(&variant.name),
        body: Body::None,
    }
}

/// The `#[code(…)]` of a picklist's variant, where it says more than the variant's name.
fn code(entry: &PicklistEntry, name: &str, docs: &Docs<'_>) -> Option<Attribute> {
    let mut settings = AttributeSettings::default();
    docs.describe(&mut settings);
    settings.extras(&entry.extra);
    let mut arguments = vec![Argument::Word(literal::text(&entry.code))];
    arguments.extend(settings.finish());
    (entry.code != name || arguments.len() > 1).then(|| Attribute::call("code", arguments))
}
