//! The ground floor's other half: what a record does contain. Types whose values are valid by
//! construction (an [`Email`] is an e-mail address, whoever made it), and [`Value`], one field's
//! value whatever its type. Nothing here knows a schema.

mod email;
mod file_ref;
mod geo;
mod phone;
mod url;
mod view;

pub use self::url::Url;
pub use email::Email;
pub use file_ref::FileRef;
pub use geo::{LatLng, Latitude, Longitude};
pub use phone::Phone;
pub use view::{Items, Value};

pub(crate) use self::url::is_url;
pub(crate) use email::is_email;
pub(crate) use geo::{Place, write_place};
pub(crate) use phone::{is_phone, write_phone};
pub(crate) use view::Elements;

use std::fmt;

/// A text that is not of the kind that was asked for. It never holds the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Invalid(&'static str);

impl fmt::Display for Invalid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "not {}", self.0)
    }
}

impl std::error::Error for Invalid {}

/// A newtype around a text with one maker: reading, showing, comparing.
macro_rules! text_type {
    ($name:ident, $what:literal, |$text:ident| $parse:expr) => {
        impl $name {
            /// Reads the text.
            ///
            /// # Errors
            #[doc = concat!("When it is not ", $what, ".")]
            pub fn parse($text: &str) -> Result<Self, $crate::value::Invalid> {
                $parse.map($name).ok_or($crate::value::Invalid($what))
            }

            /// A text that was judged before, in its stored form.
            pub(crate) fn proven(text: String) -> Self {
                $name(text)
            }

            /// The text.
            pub fn as_str(&self) -> &str {
                &self.0
            }

            /// The text, owned.
            pub fn into_string(self) -> String {
                self.0
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(&self.0)
            }
        }

        impl std::str::FromStr for $name {
            type Err = $crate::value::Invalid;
            fn from_str(text: &str) -> Result<Self, Self::Err> {
                $name::parse(text)
            }
        }

        impl AsRef<str> for $name {
            fn as_ref(&self) -> &str {
                &self.0
            }
        }
    };
}
pub(crate) use text_type;
