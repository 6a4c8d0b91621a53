//! The ground floor's other half: what a record does contain. Types whose values are valid by
//! construction (an [`Email`] is an e-mail address, whoever made it), and [`Value`], one field's
//! value whatever its type. Nothing here knows a schema.

mod email;
mod file_ref;
mod geo;
mod invalid;
mod phone;
mod text_type;
mod url;
mod view;

pub use self::url::Url;
pub use email::Email;
pub use file_ref::FileRef;
pub use geo::{LatLng, Latitude, Longitude};
pub use invalid::Invalid;
pub use phone::Phone;
pub use view::{Items, Value};

pub(crate) use self::url::{is_plain_url, is_url};
pub(crate) use email::is_email;
pub(crate) use geo::{Coordinates, write_latlng};
pub(crate) use phone::{is_phone, write_phone};
pub(crate) use view::Elements;
