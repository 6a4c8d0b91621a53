//! Values and picklists in columns of SQLite, by `rusqlite`: texts as `TEXT`, degrees as `REAL`, codes as `TEXT`.

use super::columns::Column;
use crate::{Email, FileRef, LatLng, Latitude, Longitude, Phone, Url};
use ::rusqlite::Result;
use ::rusqlite::types::{FromSql, FromSqlError, FromSqlResult, ToSql, ToSqlOutput, ValueRef};

macro_rules! column {
    ($($name:ident |$this:ident| $form:expr;)*) => {$(
        impl ToSql for $name {
            fn to_sql(&self) -> Result<ToSqlOutput<'_>> {
                let $this = self;
                Ok($form.into())
            }
        }

        impl FromSql for $name {
            fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
                let form = <$name as Column>::Form::column_result(value)?;
                <$name as Column>::of(form).map_err(FromSqlError::other)
            }
        }
    )*};
}

column! {
    Email |this| this.as_str();
    FileRef |this| this.as_str();
    LatLng |this| this.as_str();
    Phone |this| this.as_str();
    Url |this| this.as_str();
    Latitude |this| this.get();
    Longitude |this| this.get();
}

#[doc(hidden)]
#[macro_export]
macro_rules! __rusqlite_picklist {
    ($ident:ident $name:literal) => {
        const _: () = {
            use $crate::__private::integrations::{code_of, rusqlite};
            impl rusqlite::types::ToSql for $ident {
                fn to_sql(&self) -> rusqlite::Result<rusqlite::types::ToSqlOutput<'_>> {
                    $crate::__private::std::result::Result::Ok(
                        $crate::__private::std::convert::Into::into($crate::Picklist::code(*self)),
                    )
                }
            }
            impl rusqlite::types::FromSql for $ident {
                fn column_result(
                    value: rusqlite::types::ValueRef<'_>,
                ) -> rusqlite::types::FromSqlResult<Self> {
                    code_of(value.as_str()?).map_err(rusqlite::types::FromSqlError::other)
                }
            }
        };
    };
}
