//! A field's `min`, `max` and media limits, parsed once for its type. docs/rules.md, "Data types".
//!
//! The data type is looked at here and nowhere after: each kind of [`Limits`] holds bounds of the
//! Rust type that its values are judged as, so that no rule has to ask whether it got the right ones.

mod bounds;
mod fault;
mod media;
mod number;
mod temporal;

pub use bounds::{Bounds, SAFE_INTEGER_MAX};
pub use fault::LimitFault;
pub use media::Media;

use crate::data_type::DataType as T;
use crate::format::{Day, Moment, TimeOfDay};
use crate::model::Field;
use crate::number::Hundredths;

/// The compiled limits of a field: one kind for each family of data types.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Limits {
    /// Of texts, e-mail and web addresses: the length in Unicode scalar values.
    Text(Bounds<u64>),
    /// Of whole numbers.
    Whole(Bounds<i64>),
    /// Of doubles and coordinates; infinite where there is no bound.
    Float(Bounds<f64>),
    /// Of amounts of money.
    Money(Bounds<Hundredths>),
    /// Booleans have none.
    Boolean,
    /// Of days.
    Date(Bounds<Option<Day>>),
    /// Of times of day.
    Time(Bounds<Option<TimeOfDay>>),
    /// Of dates and times.
    Datetime(Bounds<Option<Moment>>),
    /// Of years, months and days of the month.
    DatePart(Bounds<i64>),
    /// Codes of picklists have none.
    Picklist,
    /// Phone numbers have none.
    Phone,
    /// Places have none but the earth's.
    Latlng,
    /// Of files.
    File(Media),
}

impl Limits {
    /// Compiles the limits of a field.
    ///
    /// # Errors
    /// Every bound that does not parse for the type, and a lower bound above the upper one.
    pub fn of(field: &Field) -> Result<Limits, Vec<LimitFault>> {
        use number::{float, length, money, narrowed, whole};
        let part = |min, max| narrowed(field, Bounds { min, max }, whole).map(Limits::DatePart);
        let float_in = |min, max| narrowed(field, Bounds { min, max }, float).map(Limits::Float);
        let whole_max = SAFE_INTEGER_MAX;
        match field.data_type {
            T::String | T::Email | T::Url => {
                let (min, max) = (0, u64::MAX);
                Bounds::of(field, Bounds { min, max }, length).map(Limits::Text)
            }
            T::Integer => {
                let (min, max) = (-whole_max, whole_max);
                Bounds::of(field, Bounds { min, max }, whole).map(Limits::Whole)
            }
            T::Float => float_in(f64::NEG_INFINITY, f64::INFINITY),
            T::Latitude => float_in(-90.0, 90.0),
            T::Longitude => float_in(-180.0, 180.0),
            T::Currency => {
                let [min, max] = [-whole_max, whole_max].map(Hundredths::whole);
                Bounds::of(field, Bounds { min, max }, money).map(Limits::Money)
            }
            T::Boolean => Ok(Limits::Boolean),
            T::Date => {
                let shape = field.date_shape();
                let read = |text: &str| shape.read(text);
                Bounds::named(field, |bound| temporal::bound(bound, &shape.label(), read))
                    .map(Limits::Date)
            }
            T::Time => {
                let shape = field.time_shape();
                let read = |text: &str| shape.read(text);
                Bounds::named(field, |bound| temporal::bound(bound, shape.name(), read))
                    .map(Limits::Time)
            }
            T::Datetime => {
                let shape = field.moment_shape();
                let read = |text: &str| shape.read(text);
                Bounds::named(field, |bound| temporal::bound(bound, &shape.label(), read))
                    .map(Limits::Datetime)
            }
            T::DateYear => part(1, 9999),
            T::DateMonth => part(1, 12),
            T::DateDay => part(1, 31),
            T::Picklist => Ok(Limits::Picklist),
            T::Phone => Ok(Limits::Phone),
            T::Latlng => Ok(Limits::Latlng),
            T::Attachment | T::Image | T::Document | T::Video => Media::of(field).map(Limits::File),
        }
    }
}
