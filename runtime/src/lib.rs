//! Fieldstone's engine.
pub mod validate;
pub mod value;
pub mod wire;
pub use schema;
pub use value::{Email, FileRef, LatLng, Latitude, Longitude, Phone, Url};
