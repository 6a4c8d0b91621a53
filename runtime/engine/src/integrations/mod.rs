//! The value types, picklists and records as types of other libraries, each behind a feature of its name: `rusqlite` and
//! `sqlx` (columns), `schemars` (JSON Schema) and `utoipa` (OpenAPI). A value that comes back from a column is read as
//! any other text, so that a column can hold a bad value and no Rust value can. Nothing here judges.
//!
//! A derive can't ask which features are on, so it writes one macro call for each library; where the feature is off, the
//! macro is empty.

#[cfg(feature = "rusqlite")]
mod rusqlite;
#[cfg(feature = "schemars")]
mod schemars;
#[cfg(feature = "sqlx")]
mod sqlx;
#[cfg(feature = "utoipa")]
mod utoipa;

#[cfg(any(feature = "schemars", feature = "utoipa"))]
mod documents;

#[cfg(any(feature = "rusqlite", feature = "sqlx"))]
pub(crate) mod columns;

/// What the macros of the derives name.
#[doc(hidden)]
pub mod names {
    #[cfg(any(feature = "rusqlite", feature = "sqlx"))]
    pub use super::columns::code_of;
    #[cfg(feature = "schemars")]
    pub use super::schemars::{picklist as schemars_picklist, record as schemars_record};
    #[cfg(feature = "utoipa")]
    pub use super::utoipa::{picklist as utoipa_picklist, record as utoipa_record};
    #[cfg(feature = "rusqlite")]
    pub use ::rusqlite;
    #[cfg(feature = "schemars")]
    pub use ::schemars;
    #[cfg(feature = "sqlx")]
    pub use ::sqlx;
    #[cfg(feature = "utoipa")]
    pub use ::utoipa;
}

/// Defines a macro that does nothing where a feature is off.
macro_rules! nothing {
    ($feature:literal: $($name:ident)*) => {$(
        #[cfg(not(feature = $feature))]
        #[doc(hidden)]
        #[macro_export]
        macro_rules! $name {
            ($ident:ident $name_of_it:literal) => {};
        }
    )*};
}

nothing!("rusqlite": __rusqlite_picklist);
nothing!("schemars": __schemars_picklist __schemars_record);
nothing!("sqlx": __sqlx_picklist);
nothing!("utoipa": __utoipa_picklist __utoipa_record);

/// A picklist as the types of the libraries whose features are on.
#[doc(hidden)]
#[macro_export]
macro_rules! __picklist_integrations {
    ($ident:ident $name:literal) => {
        $crate::__rusqlite_picklist!($ident $name);
        $crate::__schemars_picklist!($ident $name);
        $crate::__sqlx_picklist!($ident $name);
        $crate::__utoipa_picklist!($ident $name);
    };
}

/// A record as the types of the libraries whose features are on.
#[doc(hidden)]
#[macro_export]
macro_rules! __record_integrations {
    ($ident:ident $name:literal) => {
        $crate::__schemars_record!($ident $name);
        $crate::__utoipa_record!($ident $name);
    };
}
