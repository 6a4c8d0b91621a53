//! The rule families, one file each, all with the same anatomy: `compile` from a field, `read` from
//! what was sent to a typed slot (type and format), `judge` of the typed value (bounds and rules).
//! Each file opens with examples, which a test holds it to. docs/rules.md, "Data types".

mod boolean;
mod calendar;
mod date;
mod date_part;
mod date_time;
mod family;
mod file;
mod float;
mod lat_lng;
mod money;
mod phone;
mod picklist;
mod plain;
mod scalar;
mod text;
mod time;
mod whole;

pub(crate) use calendar::{naive_date, naive_time};
pub(crate) use family::Family;
pub(crate) use money::write_short_money;
pub(crate) use plain::{write_float, write_integer, write_plain};
