//! The data type and the cardinality of a struct's field: what its attributes and its Rust type tell together.
//! Contradictions are reported here, because the check sees no Rust types.

use super::rust_type::{RustType, source_text, stand_in};
use crate::attr::field::FieldSettings;
use crate::attr::spanned::Spanned;
use crate::errors::Errors;
use schema::{DataType, PicklistType};
use syn::Type;

/// What the compiler has yet to prove of a Rust type that the macro does not know.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Obligation {
    /// Nothing.
    None,
    /// That it holds this data type.
    Holds(DataType),
    /// That it is a `Picklist`.
    Codes,
}

/// The data type that attributes and Rust type tell together; reports what contradicts.
pub(super) fn data_type(
    settings: &FieldSettings,
    rust: &RustType<'_>,
    errors: &mut Errors,
) -> (Option<DataType>, Obligation) {
    let picklist = settings.field.picklist_type;
    let data_type = match &settings.data_type {
        Some(spanned) => Some(spanned.value),
        None if settings.type_unsound => return (None, Obligation::None),
        None => picklist.map(|_| DataType::Picklist),
    };
    let ty = rust.inner;
    let Some(table_type) = &rust.table_type else {
        return of_unknown_type(data_type, picklist, ty, errors);
    };
    let Some(data_type) = data_type.or(table_type.default) else {
        let names = table_type
            .data_types
            .iter()
            .map(|one| format!("{:?}", one.name()));
        let names = names.collect::<Vec<_>>().join(", ");
        let message = format!(
            "`{}` holds several data types; add `type = \"…\"`, one of {names}",
            table_type.name
        );
        errors.at(ty, message);
        return (None, Obligation::None);
    };
    if data_type == DataType::Picklist && picklist == Some(PicklistType::Static) {
        let help = "write an enum with `#[derive(Picklist)]`, or `domain = \"…\"` for codes that are elsewhere";
        errors.at(
            ty,
            format!(
                "`{}` is not the enum of a static picklist; {help}",
                table_type.name
            ),
        );
    } else if !table_type.data_types.contains(&data_type) {
        let message = format!(
            "`{}` cannot hold the data type {data_type}; write `{}` or another data type",
            table_type.name,
            data_type.facts().rust
        );
        match &settings.data_type {
            Some(spanned) => errors.at(&spanned.place, message),
            None => errors.at(ty, message),
        }
    }
    // a local alias may have the name of a known type
    (Some(data_type), Obligation::Holds(data_type))
}

/// The same of a Rust type that the macro does not know: attributes alone tell it, and the compiler has to prove it.
fn of_unknown_type(
    data_type: Option<DataType>,
    picklist: Option<PicklistType>,
    ty: &Type,
    errors: &mut Errors,
) -> (Option<DataType>, Obligation) {
    let name = source_text(ty);
    if data_type != Some(DataType::Picklist)
        && let Some(instead) = stand_in(ty)
    {
        let instead = data_type.map_or(instead.as_str(), |known| known.facts().rust);
        let message = format!("`{name}` holds no value of a field; write `{instead}`");
        errors.at(ty, message);
        return (data_type, Obligation::None);
    }
    match (data_type, picklist) {
        (Some(DataType::Picklist), Some(PicklistType::Dynamic)) => {
            let help = "its codes are not known here; write `String`";
            errors.at(
                ty,
                format!("`{name}` cannot hold the codes of a data domain; {help}"),
            );
            (data_type, Obligation::None)
        }
        (Some(DataType::Picklist), _) => (data_type, Obligation::Codes),
        (Some(known), _) => (data_type, Obligation::Holds(known)),
        (None, _) => {
            let help = "add `type = \"…\"`, `picklist` (an enum) or `domain = \"…\"`";
            errors.at(
                ty,
                format!("the data type of `{name}` is not known; {help}"),
            );
            (None, Obligation::None)
        }
    }
}

/// Puts together what attributes and Rust type tell of `required` and `multivalue`.
pub(super) fn cardinality(settings: &mut FieldSettings, rust: &RustType<'_>, errors: &mut Errors) {
    settings.field.required = !rust.is_optional && !rust.is_many;
    match &settings.required {
        Some(Spanned { value: true, place }) if rust.is_optional => {
            let message = "an `Option` can be missing; remove `required` or the `Option`";
            errors.at(place, message);
        }
        Some(Spanned {
            value: false,
            place,
        }) if settings.field.required => {
            let message = "this type is always there; write `Option<…>` for what can be missing";
            errors.at(place, message);
        }
        Some(spanned) if rust.is_many => settings.field.required = spanned.value,
        _ => {}
    }
    settings.field.multivalue = rust.is_many.then_some(true);
    match &settings.multivalue {
        Some(Spanned { value: true, place }) if !rust.is_many => {
            errors.at(
                place,
                "this type holds one value; write `Vec<…>` for several",
            );
        }
        Some(Spanned {
            value: false,
            place,
        }) if rust.is_many => {
            errors.at(
                place,
                "a `Vec` holds several values; remove the flag or the `Vec`",
            );
        }
        Some(spanned) => settings.field.multivalue = Some(spanned.value),
        None => {}
    }
}
