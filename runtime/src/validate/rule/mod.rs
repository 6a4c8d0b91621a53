//! The rule families, one file each, all with the same anatomy: `compile` from a field, `read` from
//! what was sent to a typed slot (type and format), `judge` of the typed value (bounds and rules).
//! This file is the only list to extend. Decisions section 3.

mod boolean;
mod code;
mod date_part;
mod file;
mod geo;
mod number;
mod temporal;
mod text;

use super::judge::{Judge, Sent};
use super::slot::Slot;
use crate::value::Value;
use schema::{Field, Limits, PicklistType};

pub(crate) use boolean::Boolean;
pub(crate) use code::{Dynamic, Static};
pub(crate) use date_part::DatePart;
pub(crate) use file::File;
pub(crate) use geo::{LatLng, Phone};
pub(crate) use number::{Float, Money, Whole};
pub(crate) use temporal::{Date, DateTime, Time, naive_date, naive_time};
pub(crate) use text::Text;

/// The compiled rule of one field's values.
#[derive(Debug)]
pub(crate) enum Family {
    Text(Text),
    Whole(Whole),
    Float(Float),
    Money(Money),
    Boolean(Boolean),
    Date(Date),
    Time(Time),
    DateTime(DateTime),
    DatePart(DatePart),
    Static(Static),
    Dynamic(Dynamic),
    Phone(Phone),
    LatLng(LatLng),
    File(File),
}

/// Calls the same method of whichever family it is.
macro_rules! each {
    ($self:expr, $rule:ident => $call:expr) => {
        match $self {
            Family::Text($rule) => $call,
            Family::Whole($rule) => $call,
            Family::Float($rule) => $call,
            Family::Money($rule) => $call,
            Family::Boolean($rule) => $call,
            Family::Date($rule) => $call,
            Family::Time($rule) => $call,
            Family::DateTime($rule) => $call,
            Family::DatePart($rule) => $call,
            Family::Static($rule) => $call,
            Family::Dynamic($rule) => $call,
            Family::Phone($rule) => $call,
            Family::LatLng($rule) => $call,
            Family::File($rule) => $call,
        }
    };
}

impl Family {
    /// Compiles the rule of a field, for which `limits` were compiled.
    pub(crate) fn compile(field: &Field, limits: Limits) -> Self {
        match limits {
            Limits::Text(length) => Family::Text(Text::compile(field, length)),
            Limits::Whole(bounds) => Family::Whole(Whole::compile(bounds)),
            Limits::Float(bounds) => Family::Float(Float::compile(bounds)),
            Limits::Money(bounds) => Family::Money(Money::compile(bounds)),
            Limits::Boolean => Family::Boolean(Boolean::compile(field)),
            Limits::Date(bounds) => Family::Date(Date::compile(field, bounds)),
            Limits::Time(bounds) => Family::Time(Time::compile(field, bounds)),
            Limits::Datetime(bounds) => Family::DateTime(DateTime::compile(field, bounds)),
            Limits::DatePart(bounds) => Family::DatePart(DatePart::compile(field, bounds)),
            Limits::Picklist => match &field.data_domain_id {
                Some(id) if field.picklist_type == Some(PicklistType::Dynamic) => {
                    Family::Dynamic(Dynamic::compile(id))
                }
                _ => Family::Static(Static::compile(field)),
            },
            Limits::Phone => Family::Phone(Phone),
            Limits::Latlng => Family::LatLng(LatLng),
            Limits::File(limits) => Family::File(File::compile(field, limits)),
        }
    }

    /// What was sent, as a typed slot; `None` after a fault of type or format.
    #[inline]
    pub(crate) fn read(&self, sent: Sent<'_>, to: &mut Judge<'_>) -> Option<Slot> {
        each!(self, rule => rule.read(sent, to))
    }

    /// Judges a value of a typed record. `false` when the Rust type can't hold this data type.
    #[inline]
    pub(crate) fn judge(&self, value: &Value<'_>, to: &mut Judge<'_>) {
        each!(self, rule => rule.judge_value(value, to));
    }

    /// Appends a value of a typed record in its stored form.
    pub(crate) fn write(&self, value: &Value<'_>, out: &mut String) {
        match self {
            Family::Date(rule) => rule.write_value(value, out),
            Family::Time(rule) => rule.write_value(value, out),
            Family::DateTime(rule) => rule.write_value(value, out),
            Family::Phone(rule) => rule.write_value(value, out),
            Family::LatLng(rule) => rule.write_value(value, out),
            _ => super::write::write_plain(value, out),
        }
    }
}
