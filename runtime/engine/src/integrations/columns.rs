//! What a column holds of a value, and the value of what a column holds: the same for every database.

use crate::Picklist;
use crate::value::Invalid;
use crate::{Email, FileRef, LatLng, Latitude, Longitude, Phone, Url};

/// The code of a column's text.
///
/// # Errors
/// When the text is no code of the picklist; the message does not hold it.
pub fn code_of<P: Picklist>(text: &str) -> Result<P, Invalid> {
    P::from_code(text).ok_or(Invalid::CODE)
}

/// A value with a form that columns know.
pub(crate) trait Column: Sized {
    /// The form: a text or a number.
    type Form;

    /// The value that was put into a column.
    fn of(form: Self::Form) -> Result<Self, Invalid>;
}

macro_rules! texts {
    ($($name:ident)*) => {$(
        impl Column for $name {
            type Form = String;
            fn of(form: String) -> Result<Self, Invalid> {
                $name::parse(&form)
            }
        }
    )*};
}

macro_rules! degrees {
    ($($name:ident)*) => {$(
        impl Column for $name {
            type Form = f64;
            fn of(form: f64) -> Result<Self, Invalid> {
                $name::new(form)
            }
        }
    )*};
}

texts!(Email LatLng Phone Url);
degrees!(Latitude Longitude);

impl Column for FileRef {
    type Form = String;
    fn of(form: String) -> Result<Self, Invalid> {
        Ok(FileRef::new(form))
    }
}
