//! A struct as a schema: its fields in order, the inactive ones put in between.

use super::rust_type::{RustType, written};
use crate::attr::container::{Container, Inactive};
use crate::attr::field::{self, Draft, Kind, Said};
use crate::attr::{docs, item};
use crate::check::{self, Places, Words};
use crate::errors::Errors;
use schema::{DataType, Field, Path, PicklistType, Schema, id_of};
use syn::ext::IdentExt as _;
use syn::{Data, DeriveInput, Fields, Ident, Type};

/// A struct whose schema is sound.
pub(crate) struct Record {
    pub(crate) ident: Ident,
    pub(crate) schema: Schema,
    /// The struct's fields, in order.
    pub(crate) members: Vec<Member>,
}

/// A field of the struct.
pub(crate) struct Member {
    pub(crate) ident: Ident,
    /// The Rust type inside `Option` and `Vec`.
    pub(crate) inner: Type,
    /// Index in the schema's fields.
    pub(crate) index: usize,
    pub(crate) needs: Needs,
}

/// What the compiler has yet to prove of a Rust type that the macro does not know.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Needs {
    Nothing,
    /// That it holds this data type.
    Holds(DataType),
    /// That it is a `Picklist`.
    Codes,
}

/// One place in the schema's `fields`.
struct Slot {
    draft: Draft,
    /// What to call it in a message.
    word: String,
    /// The word that stands for the field itself.
    place: proc_macro2::TokenStream,
    description: Option<String>,
    default_name: String,
    data_type: Option<DataType>,
    member: Option<(Ident, Type, Needs)>,
}

pub(crate) fn read(
    input: &DeriveInput,
    mut container: Container,
    errors: &mut Errors,
) -> Option<Record> {
    let fields = named_fields(input, errors)?;
    let active: Vec<Slot> = fields.iter().map(|field| active(field, errors)).collect();
    let inactive = std::mem::take(&mut container.inactive);
    let slots = arrange(active, inactive, errors);

    let mut places = std::mem::take(&mut container.places);
    let mut schema = schema_of(input, container);
    places.set(Path::root(), &input.ident);
    let mut words = Words::new();
    let mut members = Vec::new();
    for (index, mut slot) in slots.into_iter().enumerate() {
        words.push((format!("`fields[{index}]`"), slot.word.clone()));
        let codes = slot
            .draft
            .field
            .static_picklist
            .as_ref()
            .map_or(0, Vec::len);
        words.extend((0..codes).map(|code| {
            let nth = code + 1;
            let from = format!("`staticPicklist[{code}]`");
            (from, format!("code {nth} of the field"))
        }));
        let base = Path::field(index);
        if slot.data_type.is_none() {
            places.blame(base.clone().key("dataType"));
        }
        places.set(base.clone(), &slot.place);
        if repeats_a_name(&slot, &schema) {
            places.blame(base.clone().key("fieldId"));
        }
        places.adopt(&base, std::mem::take(&mut slot.draft.places));
        if let Some((ident, inner, needs)) = slot.member.take() {
            members.push(Member {
                ident,
                inner,
                index,
                needs,
            });
        }
        schema.fields.push(field_of(slot, &schema.name));
    }
    blame_untold_picklists(&schema, &mut places, errors);
    check::check(&schema, &places, &words, errors);
    Some(Record {
        ident: input.ident.clone(),
        schema,
        members,
    })
}

fn named_fields<'a>(input: &'a DeriveInput, errors: &mut Errors) -> Option<Vec<&'a syn::Field>> {
    if !input.generics.params.is_empty() {
        let message = "a record has one schema, so its struct has no parameters; remove them";
        errors.at(&input.generics, message);
    }
    let help = "write a struct with named fields";
    let (place, message) = match &input.data {
        Data::Struct(data) => match &data.fields {
            Fields::Named(named) => return Some(named.named.iter().collect()),
            Fields::Unit => return Some(Vec::new()),
            Fields::Unnamed(_) => (&input.ident, "the fields of a record have names"),
        },
        Data::Enum(_) => (&input.ident, "a record is a struct, not an enum"),
        Data::Union(_) => (&input.ident, "a record is a struct, not a union"),
    };
    errors.at(place, format!("{message}; {help}"));
    None
}

fn schema_of(input: &DeriveInput, container: Container) -> Schema {
    let name = container
        .name
        .unwrap_or_else(|| input.ident.unraw().to_string());
    Schema {
        id: container.id.unwrap_or_else(|| id_of(&[&name])),
        description: docs::description(container.description, &input.attrs, &container.extra),
        area_id: container.area,
        version: container.version,
        extra: container.extra,
        name,
        ..Schema::default()
    }
}

/// Reads a field of the struct.
fn active(field: &syn::Field, errors: &mut Errors) -> Slot {
    // INVARIANT: named_fields hands out named fields only
    let ident = field.ident.clone().expect("the field has a name");
    item::misplaced(&field.attrs, "record", "on the struct", errors);
    let items = item::items_of(&field.attrs, "field", errors);
    let mut draft = field::read(&items, Kind::Active, errors);
    let rust = RustType::of(&field.ty, errors);
    let (data_type, needs) = data_type(&draft, &rust, errors);
    shape(&mut draft, &rust, errors);
    let said = draft.description.take();
    let description = docs::description(said, &field.attrs, &draft.field.extra);
    Slot {
        word: format!("field `{ident}`"),
        place: quote::quote!(#ident),
        description,
        default_name: ident.unraw().to_string(),
        data_type,
        member: Some((ident, rust.inner.clone(), needs)),
        draft,
    }
}

/// The data type that attributes and Rust type tell together; reports what contradicts.
fn data_type(draft: &Draft, rust: &RustType<'_>, errors: &mut Errors) -> (Option<DataType>, Needs) {
    let picklist = draft.field.picklist_type;
    let said = match &draft.data_type {
        Some(said) => Some(said.value),
        None if draft.type_unsound => return (None, Needs::Nothing),
        None => picklist.map(|_| DataType::Picklist),
    };
    let ty = rust.inner;
    let Some(known) = &rust.known else {
        let name = written(ty);
        return match (said, picklist) {
            (Some(DataType::Picklist), Some(PicklistType::Dynamic)) => {
                let help = "its codes are not known here; write `String`";
                errors.at(
                    ty,
                    format!("`{name}` cannot hold the codes of a data domain; {help}"),
                );
                (said, Needs::Nothing)
            }
            (Some(DataType::Picklist), _) => (said, Needs::Codes),
            (Some(data_type), _) => (said, Needs::Holds(data_type)),
            (None, _) => {
                let help = "add `type = \"…\"`, `picklist` (an enum) or `domain = \"…\"`";
                errors.at(
                    ty,
                    format!("the data type of `{name}` is not known; {help}"),
                );
                (None, Needs::Nothing)
            }
        };
    };
    let Some(said) = said.or(known.default) else {
        let names = known.holds.iter().map(|held| format!("{:?}", held.name()));
        let names = names.collect::<Vec<_>>().join(", ");
        let message = format!(
            "`{}` holds several data types; add `type = \"…\"`, one of {names}",
            known.name
        );
        errors.at(ty, message);
        return (None, Needs::Nothing);
    };
    if said == DataType::Picklist && picklist == Some(PicklistType::Static) {
        let help = "write an enum with `#[derive(Picklist)]`, or `domain = \"…\"` for codes that are elsewhere";
        errors.at(
            ty,
            format!(
                "`{}` is not the enum of a static picklist; {help}",
                known.name
            ),
        );
    } else if !known.holds.contains(&said) {
        let message = format!(
            "`{}` cannot hold the data type {said}; write `{}` or another data type",
            known.name,
            said.facts().rust
        );
        match &draft.data_type {
            Some(said) => errors.at(&said.place, message),
            None => errors.at(ty, message),
        }
    }
    // a local alias may have the name of a known type
    (Some(said), Needs::Holds(said))
}

/// Puts together what attributes and Rust type tell of `required` and `multivalue`.
fn shape(draft: &mut Draft, rust: &RustType<'_>, errors: &mut Errors) {
    draft.field.required = !rust.is_optional && !rust.is_many;
    match &draft.required {
        Some(Said { value: true, place }) if rust.is_optional => {
            let message = "an `Option` can be missing; remove `required` or the `Option`";
            errors.at(place, message);
        }
        Some(Said {
            value: false,
            place,
        }) if draft.field.required => {
            let message = "this type is always there; write `Option<…>` for what can be missing";
            errors.at(place, message);
        }
        Some(said) if rust.is_many => draft.field.required = said.value,
        _ => {}
    }
    draft.field.multivalue = rust.is_many.then_some(true);
    match &draft.multivalue {
        Some(Said { value: true, place }) if !rust.is_many => {
            errors.at(
                place,
                "this type holds one value; write `Vec<…>` for several",
            );
        }
        Some(Said {
            value: false,
            place,
        }) if rust.is_many => {
            errors.at(
                place,
                "a `Vec` holds several values; remove the flag or the `Vec`",
            );
        }
        Some(said) => draft.field.multivalue = Some(said.value),
        None => {}
    }
}

/// Reads an `inactive(…)`.
fn inactive(inactive: Inactive, errors: &mut Errors) -> Slot {
    let Inactive { mut draft, place } = inactive;
    let word = match &draft.name {
        Some(name) => format!("inactive field {name:?}"),
        None => "inactive field".to_owned(),
    };
    if draft.name.is_none() {
        if !draft.places.has(&Path::root().key("name")) {
            errors.at(&place, "the inactive field has no name; add `name = \"…\"`");
        }
        draft.places.blame(Path::root().key("name"));
        draft.places.blame(Path::root().key("fieldId"));
    }
    let implied = draft.field.picklist_type.map(|_| DataType::Picklist);
    let data_type = draft.data_type.as_ref().map(|said| said.value);
    let data_type = data_type.or(implied.filter(|_| !draft.type_unsound));
    if data_type.is_none() && !draft.type_unsound {
        errors.at(
            &place,
            "the inactive field has no data type; add `type = \"…\"`",
        );
    }
    draft.field.active = false;
    let description = draft.description.take();
    draft.field.required = draft.required.as_ref().is_some_and(|said| said.value);
    draft.field.multivalue = draft.multivalue.as_ref().map(|said| said.value);
    Slot {
        word,
        description,
        default_name: String::new(),
        data_type,
        member: None,
        draft,
        place,
    }
}

/// Puts the inactive fields at their places, the struct's fields in order around them.
fn arrange(active: Vec<Slot>, all_inactive: Vec<Inactive>, errors: &mut Errors) -> Vec<Slot> {
    let total = active.len() + all_inactive.len();
    let mut places: Vec<Option<Slot>> = (0..total).map(|_| None).collect();
    let mut homeless = Vec::new();
    for one in all_inactive {
        let at = one.draft.at.as_ref().map(|at| (at.value, at.place.clone()));
        let is_told = one.draft.places.has(&Path::root().key("at"));
        let slot = inactive(one, errors);
        match at {
            Some((at, place)) if at >= total => {
                let last = total - 1;
                let message = format!("there is no place {at}; the schema has fields 0 to {last}");
                errors.at(place, format!("{message}, inactive ones counted"));
                homeless.push(slot);
            }
            Some((at, place)) if places[at].is_some() => {
                let message = format!("the place {at} is taken by another inactive field");
                errors.at(place, format!("{message}; give each its own"));
                homeless.push(slot);
            }
            Some((at, _)) => places[at] = Some(slot),
            None => {
                if !is_told {
                    let message = "the inactive field has no place; add `at`, its index in the schema's fields";
                    errors.at(&slot.place, message);
                }
                homeless.push(slot);
            }
        }
    }
    let mut rest = active.into_iter().chain(homeless);
    // INVARIANT: there are as many places as slots
    places
        .into_iter()
        .filter_map(|slot| slot.or_else(|| rest.next()))
        .collect()
}

fn field_of(slot: Slot, schema_name: &str) -> Field {
    let Slot {
        draft,
        description,
        default_name,
        data_type,
        ..
    } = slot;
    let name = draft.name.unwrap_or(default_name);
    Field {
        id: draft.id.unwrap_or_else(|| id_of(&[schema_name, &name])),
        name,
        description,
        data_type: data_type.unwrap_or(DataType::String),
        ..draft.field
    }
}

/// Whether an id made of the name is a duplicate only because the name is one.
fn repeats_a_name(slot: &Slot, schema: &Schema) -> bool {
    let name = slot.draft.name.as_ref().unwrap_or(&slot.default_name);
    let mut before = schema.active_fields();
    slot.draft.id.is_none() && slot.draft.field.active && before.any(|field| field.name == *name)
}

/// A `type = "picklist"` that does not say where its codes are: told here in the words of
/// attributes, and kept from the check.
fn blame_untold_picklists(schema: &Schema, places: &mut Places, errors: &mut Errors) {
    for (index, field) in schema.fields.iter().enumerate() {
        if field.data_type == DataType::Picklist && field.picklist_type.is_none() {
            let path = Path::field(index);
            let help = "add `picklist` (an enum's codes) or `domain = \"…\"` (a data domain's)";
            let place = places.place(&path.clone().key("dataType"));
            errors.at(
                place,
                format!("the picklist does not say where its codes are; {help}"),
            );
            places.blame(path);
        }
    }
}
