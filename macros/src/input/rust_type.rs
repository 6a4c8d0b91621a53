//! The Rust type of a field: what stands inside `Option` and `Vec`, and which data types its last
//! path segment can hold. A macro sees names only, so an alias is a type it does not know.

use crate::errors::Errors;
use quote::quote;
use schema::DataType;
use syn::{GenericArgument, PathArguments, PathSegment, Type};

/// A Rust type taken apart.
pub(crate) struct RustType<'a> {
    pub(crate) is_optional: bool,
    pub(crate) is_many: bool,
    /// What stands inside.
    pub(crate) inner: &'a Type,
    /// What the inner type can hold, when it is known.
    pub(crate) table_type: Option<TableType>,
}

/// A type of the table.
pub(crate) struct TableType {
    pub(crate) name: String,
    pub(crate) data_types: Vec<DataType>,
    /// The data type it stands for when no attribute says another.
    pub(crate) default: Option<DataType>,
}

impl<'a> RustType<'a> {
    /// Takes a type apart; reports what no record can hold.
    pub(crate) fn of(ty: &'a Type, errors: &mut Errors) -> Self {
        let (is_optional, inside) = match argument(ty, "Option") {
            Some(inner) => (true, inner),
            None => (false, ty),
        };
        let (is_many, mut inner) = match argument(inside, "Vec") {
            Some(inner) => (true, inner),
            None => (false, inside),
        };
        if is_optional && is_many {
            let help = "a missing value is the empty list; write `Vec<…>`";
            errors.at(
                ty,
                format!("`Option<Vec<…>>` can be missing in two ways; {help}"),
            );
        } else if let Some(deeper) = argument(inner, "Option").or_else(|| argument(inner, "Vec")) {
            let help = "write `T`, `Option<T>` or `Vec<T>`";
            errors.at(
                ty,
                format!("values of a record do not nest so deep; {help}"),
            );
            inner = deeper;
        }
        RustType {
            is_optional,
            is_many,
            inner,
            table_type: last_segment(inner).and_then(table_type),
        }
    }
}

/// The enum of a static picklist's field, and whether unknown codes are kept: `Open<Kind>` is `Kind` and does.
pub(crate) fn codes_of(inner: &Type) -> (&Type, bool) {
    match argument(inner, "Open") {
        Some(own) => (own, true),
        None => (inner, false),
    }
}

/// What to write in place of a common type that no field has: `i64` for `u32`, `String` for `&str` and `Box<str>`.
pub(crate) fn stand_in(ty: &Type) -> Option<String> {
    if let Type::Reference(reference) = ty {
        return owned(&reference.elem);
    }
    let mut pointers = ["Arc", "Box", "Rc"].into_iter();
    if let Some(inner) = pointers.find_map(|pointer| argument(ty, pointer)) {
        return owned(inner);
    }
    let segment = last_segment(ty).filter(|segment| segment.arguments.is_none())?;
    let instead = match segment.ident.to_string().as_str() {
        "i8" | "i16" | "i128" | "isize" | "u16" | "u32" | "u64" | "u128" | "usize" => "i64",
        "f32" => "f64",
        "char" | "str" => "String",
        _ => return None,
    };
    Some(instead.to_owned())
}

/// The type of a field that is behind a pointer.
fn owned(ty: &Type) -> Option<String> {
    let known = || {
        last_segment(ty)
            .and_then(table_type)
            .map(|known| known.name)
    };
    stand_in(ty).or_else(known)
}

/// A type of the table by its last path segment.
fn table_type(segment: &PathSegment) -> Option<TableType> {
    if !segment.arguments.is_none() {
        return None;
    }
    let name = segment.ident.to_string();
    let rows = DataType::table().iter();
    let mut data_types: Vec<DataType> = rows
        .filter(|facts| facts.rust == name)
        .map(|facts| facts.data_type)
        .collect();
    let default = match data_types.as_slice() {
        [] => return None,
        _ if name == "String" => Some(DataType::String),
        [one] => Some(*one),
        _ => None,
    };
    if name == "String" {
        data_types.extend([DataType::Email, DataType::Url, DataType::Phone]);
        let files = DataType::table().iter().map(|facts| facts.data_type);
        data_types.extend(files.filter(|data_type| data_type.is_file()));
    }
    Some(TableType {
        name,
        data_types,
        default,
    })
}

fn last_segment(ty: &Type) -> Option<&PathSegment> {
    match ty {
        Type::Path(path) if path.qself.is_none() => path.path.segments.last(),
        Type::Group(group) => last_segment(&group.elem),
        Type::Paren(paren) => last_segment(&paren.elem),
        _ => None,
    }
}

/// The `T` of `Wrapper<T>`.
fn argument<'a>(ty: &'a Type, wrapper: &str) -> Option<&'a Type> {
    let segment = last_segment(ty)?;
    let PathArguments::AngleBracketed(arguments) = &segment.arguments else {
        return None;
    };
    match arguments.args.first() {
        Some(GenericArgument::Type(inner)) if segment.ident == wrapper => Some(inner),
        _ => None,
    }
}

/// A type as a person writes it.
pub(crate) fn source_text(ty: &Type) -> String {
    let spaced = quote!(#ty).to_string();
    let mut text = String::new();
    for word in spaced.split(' ') {
        let joins = |c: char| c.is_alphanumeric() || c == '_';
        let is_listed = text.ends_with([',', ';']);
        if is_listed || text.ends_with(joins) && word.starts_with(joins) {
            text.push(' ');
        }
        text.push_str(word);
    }
    text
}
