//! Values, picklists and records as types whose JSON Schema `schemars` collects. It is that of their normal form, which
//! they serialise to; reading takes more (docs/rules.md, "Text forms").

use super::documents;
use crate::{Email, FileRef, LatLng, Latitude, Longitude, Phone, Picklist, Record, Url};
use ::schemars::{JsonSchema, Schema, SchemaGenerator};
use ::serde_json::Value;
use schema::DataType;
use std::borrow::Cow;

macro_rules! values {
    ($($name:ident $data_type:ident)*) => {$(
        impl JsonSchema for $name {
            fn inline_schema() -> bool {
                true
            }

            fn schema_name() -> Cow<'static, str> {
                stringify!($name).into()
            }

            fn json_schema(_: &mut SchemaGenerator) -> Schema {
                schema_of(documents::value(DataType::$data_type))
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

/// The JSON Schema of a code.
pub fn picklist<P: Picklist>() -> Schema {
    schema_of(documents::picklist::<P>())
}

/// The JSON Schema of a record.
pub fn record<R: Record>() -> Schema {
    schema_of(documents::record::<R>())
}

fn schema_of(document: Value) -> Schema {
    // INVARIANT: each of them is an object
    document.try_into().unwrap_or_default()
}

#[doc(hidden)]
#[macro_export]
macro_rules! __schemars_impl {
    ($maker:ident $ident:ident $name:literal) => {
        const _: () = {
            use $crate::__private::integrations::{schemars, $maker};
            use $crate::__private::std;
            impl schemars::JsonSchema for $ident {
                fn schema_name() -> std::borrow::Cow<'static, std::primitive::str> {
                    std::borrow::Cow::Borrowed($name)
                }
                fn schema_id() -> std::borrow::Cow<'static, std::primitive::str> {
                    std::borrow::Cow::Borrowed(std::concat!(std::module_path!(), "::", $name))
                }
                fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
                    $maker::<$ident>()
                }
            }
        };
    };
}

#[doc(hidden)]
#[macro_export]
macro_rules! __schemars_picklist {
    ($ident:ident $name:literal) => {
        $crate::__schemars_impl!(schemars_picklist $ident $name);
    };
}

#[doc(hidden)]
#[macro_export]
macro_rules! __schemars_record {
    ($ident:ident $name:literal) => {
        $crate::__schemars_impl!(schemars_record $ident $name);
    };
}
