//! The enum of a static picklist.

use super::code::{Attribute, Thing};
use super::{Docs, allows, doc, given, record};
use crate::name::ident;
use crate::plan::{Module, Picklist, Variant};

/// What every enum derives.
const DERIVES: [&str; 9] = [
    "Clone",
    "Copy",
    "Debug",
    "PartialEq",
    "Eq",
    "Hash",
    "PartialOrd",
    "Ord",
    "Picklist",
];

/// The enum with its attributes.
pub(super) fn picklist(module: &Module<'_>, picklist: &Picklist<'_>) -> Thing {
    let field = doc::code(&picklist.source.name);
    let mut attributes = vec![super::derive(&DERIVES, &picklist.derives)];
    if module.is_runtime_renamed {
        let path = format!("crate = {}", module.runtime);
        attributes.push(Attribute::of_words("picklist", [path]));
    }
    attributes.extend(allows(&picklist.allows, false));
    attributes.extend(given(&picklist.attributes));
    Thing {
        docs: doc::wrap(&format!("A code of the picklist {field}."), 0),
        attributes,
        code: format!("pub enum {}", ident(&picklist.name)),
        members: Some(picklist.variants.iter().map(variant).collect()),
    }
}

fn variant(variant: &Variant<'_>) -> Thing {
    let entry = variant.entry;
    let about = format!("The code {}.", doc::code(&entry.code));
    let facts = super::unless_described(entry.description.as_deref(), &about);
    let docs = Docs::new(entry.description.as_deref(), facts, 4);
    let code = record::code(entry, &variant.name, docs.description);
    Thing {
        docs: docs.lines,
        attributes: code.into_iter().chain(given(&variant.attributes)).collect(),
        code: ident(&variant.name),
        members: None,
    }
}
