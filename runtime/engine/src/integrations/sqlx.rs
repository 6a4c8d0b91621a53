//! Values and picklists in columns of every database that `sqlx` knows: whatever holds a text or a double holds them.

use super::columns::Column;
use crate::{Email, FileRef, LatLng, Latitude, Longitude, Phone, Url};
use ::sqlx::encode::IsNull;
use ::sqlx::error::BoxDynError;
use ::sqlx::{Database, Decode, Encode, Type};

macro_rules! column {
    ($($name:ident $form:ty, |$this:ident| $value:expr;)*) => {$(
        impl<DB: Database> Type<DB> for $name
        where
            $form: Type<DB>,
        {
            fn type_info() -> DB::TypeInfo {
                <$form as Type<DB>>::type_info()
            }

            fn compatible(other: &DB::TypeInfo) -> bool {
                <$form as Type<DB>>::compatible(other)
            }
        }

        impl<'q, DB: Database> Encode<'q, DB> for $name
        where
            $form: Encode<'q, DB>,
        {
            fn encode_by_ref(&self, buffer: &mut DB::ArgumentBuffer) -> Result<IsNull, BoxDynError> {
                let $this = self;
                <$form as Encode<'q, DB>>::encode($value, buffer)
            }
        }

        impl<'r, DB: Database> Decode<'r, DB> for $name
        where
            $form: Decode<'r, DB>,
        {
            fn decode(value: DB::ValueRef<'r>) -> Result<Self, BoxDynError> {
                Ok(<$name as Column>::of(<$form as Decode<'r, DB>>::decode(value)?)?)
            }
        }
    )*};
}

column! {
    Email String, |this| this.as_str().to_owned();
    FileRef String, |this| this.as_str().to_owned();
    LatLng String, |this| this.as_str().to_owned();
    Phone String, |this| this.as_str().to_owned();
    Url String, |this| this.as_str().to_owned();
    Latitude f64, |this| this.get();
    Longitude f64, |this| this.get();
}

#[doc(hidden)]
#[macro_export]
macro_rules! __sqlx_picklist {
    ($ident:ident $name:literal) => {
        const _: () = {
            use $crate::__private::integrations::{code_of, sqlx};
            use $crate::__private::std::{primitive::bool, result::Result, string::String};
            impl<DB: sqlx::Database> sqlx::Type<DB> for $ident
            where
                String: sqlx::Type<DB>,
            {
                fn type_info() -> DB::TypeInfo {
                    <String as sqlx::Type<DB>>::type_info()
                }
                fn compatible(other: &DB::TypeInfo) -> bool {
                    <String as sqlx::Type<DB>>::compatible(other)
                }
            }
            impl<'q, DB: sqlx::Database> sqlx::Encode<'q, DB> for $ident
            where
                String: sqlx::Encode<'q, DB>,
            {
                fn encode_by_ref(
                    &self,
                    buffer: &mut DB::ArgumentBuffer,
                ) -> Result<sqlx::encode::IsNull, sqlx::error::BoxDynError> {
                    let code = String::from($crate::Picklist::code(*self));
                    <String as sqlx::Encode<'q, DB>>::encode(code, buffer)
                }
            }
            impl<'r, DB: sqlx::Database> sqlx::Decode<'r, DB> for $ident
            where
                String: sqlx::Decode<'r, DB>,
            {
                fn decode(value: DB::ValueRef<'r>) -> Result<Self, sqlx::error::BoxDynError> {
                    let code = <String as sqlx::Decode<'r, DB>>::decode(value)?;
                    Result::Ok(code_of(&code)?)
                }
            }
        };
    };
}
