//! The derives of Fieldstone: `Record` for structs, `Picklist` for enums.
//!
//! A record is a struct whose fields are those of a schema; the derive builds that schema from the
//! Rust types and the attributes, judges it with the same check that judges a schema document, and
//! writes a small expansion that leans on helpers in `runtime`. Use both derives through `runtime`,
//! which re-exports them beside the traits of the same names:
//!
//! ```ignore
//! use runtime::{Picklist, Record};
//!
//! /// A place where aircraft land.
//! #[derive(Clone, PartialEq, Record)]
//! #[record(name = "Airport", version = 3)]
//! struct Airport {
//!     /// The four letters on a flight plan.
//!     #[field(name = "ICAO", primary_key, alphanumeric, min = 4, max = 4)]
//!     icao: String,
//!     #[field(name = "Elevation")]
//!     elevation: Option<i64>,
//!     #[field(name = "FieldKind", picklist)]
//!     kind: FieldKind,
//! }
//!
//! #[derive(Clone, Copy, PartialEq, Picklist)]
//! enum FieldKind {
//!     /// Open to everyone.
//!     #[code("C")]
//!     Civil,
//!     #[code("M", description = "Armed forces")]
//!     Military,
//! }
//! ```
//!
//! The way of every derive here: `attr` reads attributes, `input` turns them and the Rust types
//! into a schema, `check` judges it and finds the token of each problem in the `source_map`, `drift` holds it against its document, `expand`
//! writes the code.
//! All mistakes are reported at once; then `fallback` writes an impl that does nothing, so that the
//! rest of the crate is not flooded with errors about a missing trait.
//!
//! This package never judges a value and never decides what a schema may be: that is `schema`'s.

mod attr;
mod check;
mod drift;
mod errors;
mod expand;
mod fallback;
mod input;
mod patch;
mod runtime_crate;
mod source_map;

#[cfg(test)]
mod tests;

use errors::Errors;
use proc_macro2::TokenStream;
use quote::{ToTokens as _, quote};
use syn::DeriveInput;

/// Makes a struct a record: `Record`, `Debug`, `Serialize` and `Deserialize`.
///
/// `Debug` is part of it because a record's `Debug` hides the values of `pii` fields. `Serialize` and
/// `Deserialize` go through `to_json` and `from_json`, so they judge as those do; but serde's formats
/// carry fractions as doubles, and an amount of money that no double holds to the cent is refused in
/// writing and rounded by the format in reading.
///
/// # On the struct: `#[record(…)]`
///
/// | setting | meaning | when absent |
/// | - | - | - |
/// | `name = "…"` | the schema's name | the struct's name |
/// | `id = "…"` | the schema's id | a hash of the name |
/// | `area = "…"` | id of the business area | none |
/// | `version = 3` | the schema's version | none |
/// | `description = "…"` | its purpose; `description = false`: none | first paragraph of the docs; none when they begin with an empty line |
/// | `extra = "{…}"` | JSON object of properties that have no setting | none |
/// | `inactive(at = 4, name = "…", type = "…", …)` | an inactive field at this place of the schema's fields; repeats | none |
/// | `schema = "city.json"` | the schema document that the struct stands for, in the package's folder or beside the source: every difference is a compile error at its field | none |
/// | `crate = path` | where `runtime` is | the name it has in Cargo.toml |
/// | `patch` | makes `CityPatch` of `City`, a `Patch` | none is made |
///
/// With `schema = "…"`, names, ids, descriptions, tags and the version of the document count where the struct says
/// none, and the crate is compiled again when the file changes. Not compared are descriptions, tags, the order of
/// fields, and fields that are not active in the document.
///
/// # On a field: `#[field(…)]`
///
/// | setting | meaning |
/// | - | - |
/// | `name`, `id`, `description`, `extra` | as on the struct; the name defaults to the Rust name |
/// | `type = "currency"` | the data type, where the Rust type does not tell it |
/// | `primary_key`, `sort_key`, `pii` | flags; `pii = false` is written into the schema too |
/// | `required` | for `Vec<T>`; `T` is required anyway, `Option<T>` is not |
/// | `multivalue = false` | writes the flag into the schema; `Vec<T>` sets it |
/// | `min = 3`, `max = "2020-01-01"` | bounds of value or length; a number keeps its digits |
/// | `alphanumeric`, `rules("…")` | validation rules |
/// | `tag(id = "…", name = "…")` | a category tag; repeats |
/// | `booleans = "Y/N"` | the two words of a boolean |
/// | `picklist` | the type is an enum with `derive(Picklist)`, or `Open` of one, which keeps unknown codes |
/// | `domain = "…"` | a picklist whose codes are those of a data domain |
/// | `date_format`, `date_separator`, `time_format` | how dates and times are written |
/// | `max_width`, `max_height`, `max_size` | limits of files |
///
/// Inside `inactive(…)` the same settings stand, with `required` and `multivalue` as plain flags
/// and the codes of a static picklist written out: `code("A", description = "…")`.
#[proc_macro_derive(Record, attributes(record, field))]
pub fn derive_record(input: proc_macro::TokenStream) -> proc_macro::TokenStream {
    record(input.into(), runtime_crate::path).into()
}

/// Makes an enum without data the codes of a static picklist: `Picklist`, `Display` (the code),
/// `FromStr` and `TryFrom<&str>` (of a code, exact case), `Serialize` and `Deserialize`. The enum must be `Copy`.
///
/// A variant's code is its name unless `#[code("A")]` says another; its description is the first
/// paragraph of its docs unless `#[code("A", description = "…")]` says another. Properties of the
/// entry that have no setting travel in `#[code("A", extra = "{…}")]`. `#[picklist(crate = path)]`
/// on the enum tells where `runtime` is, where that is not the name it has in Cargo.toml.
#[proc_macro_derive(Picklist, attributes(picklist, code))]
pub fn derive_picklist(input: proc_macro::TokenStream) -> proc_macro::TokenStream {
    picklist(input.into(), runtime_crate::path).into()
}

/// Finds the runtime where no attribute tells it.
type Find = fn() -> Result<TokenStream, String>;

fn record(tokens: TokenStream, find: Find) -> TokenStream {
    let input: DeriveInput = match syn::parse2(tokens) {
        Ok(input) => input,
        Err(error) => return error.to_compile_error(),
    };
    let mut errors = Errors::default();
    let settings = attr::container::record(&input.attrs, &mut errors);
    let krate = runtime(settings.krate.as_ref(), find, &input, &mut errors);
    let record = input::record::read(&input, settings, &mut errors);
    // without a runtime each of its names would be one more error
    let Some(krate) = krate else {
        return errors.to_tokens().unwrap_or_default();
    };
    match (record, errors.to_tokens()) {
        (Some(record), None) => {
            let patch = record.has_patch.then(|| patch::patch(&record, &krate));
            let record = expand::record(&record, &krate);
            quote!(#record #patch)
        }
        (_, errors) => {
            let fallback = fallback::record(&input, &krate);
            quote!(#errors #fallback)
        }
    }
}

fn picklist(tokens: TokenStream, find: Find) -> TokenStream {
    let input: DeriveInput = match syn::parse2(tokens) {
        Ok(input) => input,
        Err(error) => return error.to_compile_error(),
    };
    let mut errors = Errors::default();
    let krate = attr::container::picklist(&input.attrs, &mut errors);
    let krate = runtime(krate.as_ref(), find, &input, &mut errors);
    let picklist = input::picklist::read(&input, &mut errors);
    let Some(krate) = krate else {
        return errors.to_tokens().unwrap_or_default();
    };
    match (picklist, errors.to_tokens()) {
        (Some(picklist), None) => expand::picklist(&picklist, &krate),
        (_, errors) => {
            let fallback = fallback::picklist(&input, &krate);
            quote!(#errors #fallback)
        }
    }
}

/// The path of the runtime; `None` where there is none, which is reported.
fn runtime(
    given: Option<&syn::Path>,
    find: Find,
    input: &DeriveInput,
    errors: &mut Errors,
) -> Option<TokenStream> {
    match given {
        Some(path) => Some(path.to_token_stream()),
        None => find()
            .map_err(|message| errors.at(&input.ident, message))
            .ok(),
    }
}
