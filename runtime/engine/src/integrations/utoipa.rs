//! Values, picklists and records as types whose schema `utoipa` puts into OpenAPI documents: the same JSON Schema.

use super::documents;
use crate::{Email, FileRef, LatLng, Latitude, Longitude, Phone, Picklist, Record, Url};
use ::serde_json::{Map, Number, Value};
use ::utoipa::openapi::extensions::Extensions;
use ::utoipa::openapi::schema::{Array, ArrayItems, Object};
use ::utoipa::openapi::{RefOr, Schema};
use ::utoipa::{PartialSchema, ToSchema};
use schema::DataType;
use std::borrow::Cow;

/// Words of JSON Schema that `utoipa` has no member for. Where one stands alone, the order of members stays as it is.
const WITHOUT_A_MEMBER: [&str; 2] = ["anyOf", "patternProperties"];

macro_rules! values {
    ($($name:ident $data_type:ident)*) => {$(
        impl PartialSchema for $name {
            fn schema() -> RefOr<Schema> {
                RefOr::T(schema_of(documents::value(DataType::$data_type)))
            }
        }

        impl ToSchema for $name {
            fn name() -> Cow<'static, str> {
                stringify!($name).into()
            }
        }
    )*};
}

values! {
    Email Email
    FileRef Document
    LatLng Latlng
    Latitude Latitude
    Longitude Longitude
    Phone Phone
    Url Url
}

/// The schema of a code.
pub fn picklist<P: Picklist>() -> RefOr<Schema> {
    RefOr::T(schema_of(documents::picklist::<P>()))
}

/// The schema of a record.
pub fn record<R: Record>() -> RefOr<Schema> {
    RefOr::T(schema_of(documents::record::<R>()))
}

fn schema_of(mut document: Value) -> Schema {
    let Value::Object(members) = &mut document else {
        return Schema::default();
    };
    let properties = match members.remove("properties") {
        Some(Value::Object(properties)) => properties,
        _ => Map::new(),
    };
    let items = members.remove("items").map(schema_of);
    let others = WITHOUT_A_MEMBER.into_iter();
    let others = others.filter_map(|word| Some((word, members.remove(word)?)));
    let others: Vec<_> = others.collect();
    let mut number = |word| match members.remove(word) {
        Some(Value::Number(number)) => Some(number),
        _ => None,
    };
    let [minimum, maximum] = ["minimum", "maximum"].map(|word| number(word).map(number_of));
    let [min_length, max_length, min_items] =
        ["minLength", "maxLength", "minItems"].map(|word| number(word)?.as_u64()?.try_into().ok());
    if let Some(items) = items {
        // it reads no array without
        members.insert("items".to_owned(), ::serde_json::json!({"type": "string"}));
        // INVARIANT: what is left are members that it knows, none of them a number
        let mut array: Array = ::serde_json::from_value(document).unwrap_or_default();
        array.items = ArrayItems::RefOrSchema(Box::new(RefOr::T(items)));
        array.min_items = min_items;
        return Schema::Array(array);
    }
    // INVARIANT: as above
    let mut object: Object = ::serde_json::from_value(document).unwrap_or_default();
    let properties = properties.into_iter();
    object.properties = properties
        .map(|(name, one)| (name, RefOr::T(schema_of(one))))
        .collect();
    (object.minimum, object.maximum) = (minimum, maximum);
    (object.min_length, object.max_length) = (min_length, max_length);
    if !others.is_empty() {
        object.extensions = Some(Extensions::from_iter(others));
    }
    Schema::Object(object)
}

/// Put in by hand: with serde_json's `arbitrary_precision`, which any crate of a program may turn on, `utoipa` reads none.
fn number_of(number: Number) -> ::utoipa::Number {
    let whole = number
        .as_i64()
        .and_then(|whole| isize::try_from(whole).ok());
    whole.map_or_else(
        || ::utoipa::Number::Float(number.as_f64().unwrap_or_default()),
        ::utoipa::Number::Int,
    )
}

#[doc(hidden)]
#[macro_export]
macro_rules! __utoipa_impl {
    ($maker:ident $ident:ident $name:literal) => {
        const _: () = {
            use $crate::__private::integrations::{utoipa, $maker};
            use $crate::__private::std;
            impl utoipa::PartialSchema for $ident {
                fn schema() -> utoipa::openapi::RefOr<utoipa::openapi::Schema> {
                    $maker::<$ident>()
                }
            }
            impl utoipa::ToSchema for $ident {
                fn name() -> std::borrow::Cow<'static, std::primitive::str> {
                    std::borrow::Cow::Borrowed($name)
                }
            }
        };
    };
}

#[doc(hidden)]
#[macro_export]
macro_rules! __utoipa_picklist {
    ($ident:ident $name:literal) => {
        $crate::__utoipa_impl!(utoipa_picklist $ident $name);
    };
}

#[doc(hidden)]
#[macro_export]
macro_rules! __utoipa_record {
    ($ident:ident $name:literal) => {
        $crate::__utoipa_impl!(utoipa_record $ident $name);
    };
}
