//! Which lints a name or a shape from a schema would set off, so that only those are allowed. What
//! can be avoided by writing differently is avoided elsewhere.

use super::model::{Allow, FieldPlan, VariantPlan};
use crate::name::{IdentifierKind, camel, snake, words};
use crate::rust_type::Cardinality;

/// How many fields or variants clippy needs to see a pattern in their names.
const PATTERN_MIN: usize = 3;

/// How many plain booleans a struct may have.
const BOOLS_MAX: usize = 3;

/// What a struct of these fields sets off.
pub(super) fn of_record(name: &str, fields: &[FieldPlan<'_>]) -> Vec<Allow> {
    let mut allows = Vec::new();
    let is_bool = |field: &&FieldPlan<'_>| {
        field.value == "bool" && field.cardinality == Cardinality::Required
    };
    if fields.iter().filter(is_bool).count() > BOOLS_MAX {
        allows.push(Allow {
            lint: "struct_excessive_bools",
            reason: "the schema has that many fields of true or false",
        });
    }
    let own = snake(IdentifierKind::Field, &words(name).0).map_or_else(String::new, |(own, _)| own);
    let names: Vec<Vec<&str>> = fields.iter().map(|f| f.name.split('_').collect()).collect();
    let repeats =
        |field: &FieldPlan<'_>| field.name.starts_with(&own) || field.name.ends_with(&own);
    if fields.len() >= PATTERN_MIN && (fields.iter().any(repeats) || has_pattern(&names)) {
        allows.push(Allow {
            lint: "struct_field_names",
            reason: "the fields are named as in the schema",
        });
    }
    allows
}

/// What an enum of these variants sets off.
pub(super) fn of_picklist(name: &str, variants: &[VariantPlan<'_>]) -> Vec<Allow> {
    let names: Vec<Vec<&str>> = variants.iter().map(|v| humps(&v.name)).collect();
    let (own, _) = camel(IdentifierKind::Type, &[name.to_owned()]).unwrap_or_default();
    let repeats = |v: &VariantPlan<'_>| v.name.starts_with(&own) || v.name.ends_with(&own);
    if variants.len() >= PATTERN_MIN && (variants.iter().any(repeats) || has_pattern(&names)) {
        return vec![Allow {
            lint: "enum_variant_names",
            reason: "the variants are named as the codes",
        }];
    }
    Vec::new()
}

/// Whether all names have more than one word and share the first or the last.
fn has_pattern(names: &[Vec<&str>]) -> bool {
    let Some(first) = names.first() else {
        return false;
    };
    names.iter().all(|words| words.len() > 1)
        && (names.iter().all(|words| words.first() == first.first())
            || names.iter().all(|words| words.last() == first.last()))
}

/// The words of a name `LikeThis`.
fn humps(name: &str) -> Vec<&str> {
    let mut starts: Vec<_> = name
        .char_indices()
        .filter(|(_, c)| c.is_ascii_uppercase())
        .map(|(at, _)| at)
        .collect();
    starts.push(name.len());
    starts
        .windows(2)
        .map(|pair| &name[pair[0]..pair[1]])
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pattern_needs_several_words_in_every_name() {
        assert_eq!(humps("OnHold2"), ["On", "Hold2"]);
        assert!(has_pattern(&[humps("IsA"), humps("IsB")]));
        assert!(has_pattern(&[humps("AEnd"), humps("BEnd")]));
        assert!(!has_pattern(&[humps("IsA"), humps("Is")]));
        assert!(!has_pattern(&[humps("OnHold"), humps("OffDuty")]));
    }
}
