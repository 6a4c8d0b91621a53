//! The list of the families: which rule judges a field, and the way to whichever it is. A new family
//! is added here and in a file of its own, nowhere else.

use super::boolean::BooleanRule;
use super::date::DateRule;
use super::date_part::DatePartRule;
use super::date_time::DateTimeRule;
use super::file::FileRule;
use super::float::FloatRule;
use super::lat_lng::LatLngRule;
use super::money::MoneyRule;
use super::phone::PhoneRule;
use super::picklist::{DynamicPicklistRule, StaticPicklistRule};
use super::plain::write_plain;
use super::scalar::Scalar;
use super::text::TextRule;
use super::time::TimeRule;
use super::whole::WholeRule;
use crate::validate::judge::Judge;
use crate::validate::slot::{Piece, Slot};
use crate::value::Value;
use schema::{Field, Limits, PicklistType, PlainNumber};

/// The compiled rule of one field's values.
#[derive(Debug)]
pub(crate) enum Family {
    Text(TextRule),
    Whole(WholeRule),
    Float(FloatRule),
    Money(MoneyRule),
    Boolean(BooleanRule),
    Date(DateRule),
    Time(TimeRule),
    DateTime(DateTimeRule),
    DatePart(DatePartRule),
    StaticPicklist(StaticPicklistRule),
    DynamicPicklist(DynamicPicklistRule),
    Phone(PhoneRule),
    LatLng(LatLngRule),
    File(FileRule),
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
            Family::StaticPicklist($rule) => $call,
            Family::DynamicPicklist($rule) => $call,
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
            Limits::Text(length) => Family::Text(TextRule::compile(field, length)),
            Limits::Whole(bounds) => Family::Whole(WholeRule::compile(bounds)),
            Limits::Float(bounds) => Family::Float(FloatRule::compile(bounds)),
            Limits::Money(bounds) => Family::Money(MoneyRule::compile(bounds)),
            Limits::Boolean => Family::Boolean(BooleanRule::compile(field)),
            Limits::Date(bounds) => Family::Date(DateRule::compile(field, bounds)),
            Limits::Time(bounds) => Family::Time(TimeRule::compile(field, bounds)),
            Limits::Datetime(bounds) => Family::DateTime(DateTimeRule::compile(field, bounds)),
            Limits::DatePart(bounds) => Family::DatePart(DatePartRule::compile(field, bounds)),
            Limits::Picklist => match &field.data_domain_id {
                Some(id) if field.picklist_type == Some(PicklistType::Dynamic) => {
                    Family::DynamicPicklist(DynamicPicklistRule::compile(id))
                }
                _ => Family::StaticPicklist(StaticPicklistRule::compile(field)),
            },
            Limits::Phone => Family::Phone(PhoneRule),
            Limits::Latlng => Family::LatLng(LatLngRule),
            Limits::File(limits) => Family::File(FileRule::compile(field, limits)),
        }
    }

    /// A text that was sent, as a typed slot; `None` after a fault of type or format.
    pub(crate) fn read_text(&self, text: &str, at: Piece, to: &mut Judge<'_>) -> Option<Slot> {
        let faults_before = to.faults.len();
        let slot = each!(self, rule => rule.read(Scalar::Text(text, at), to));
        if to.faults.len() > faults_before {
            to.remark(text, faults_before);
        }
        slot
    }

    /// The same of the token of a number.
    pub(crate) fn read_number(&self, token: &str, to: &mut Judge<'_>) -> Option<Slot> {
        each!(self, rule => rule.read(Scalar::Number(token), to))
    }

    /// The same of a short number and its token.
    #[inline]
    pub(crate) fn read_plain(
        &self,
        number: PlainNumber,
        token: &str,
        to: &mut Judge<'_>,
    ) -> Option<Slot> {
        let plain = match self {
            Family::Whole(rule) => rule.read_plain(number, to),
            Family::Float(rule) => rule.read_plain(number, to),
            Family::Money(rule) => rule.read_plain(number, to),
            _ => None,
        };
        // a fault has to be told in one way only
        plain.or_else(|| self.read_number(token, to))
    }

    /// The same of `true` and `false`.
    pub(crate) fn read_bool(&self, value: bool, to: &mut Judge<'_>) -> Option<Slot> {
        each!(self, rule => rule.read(Scalar::Bool(value), to))
    }

    /// Judges a value of a typed record.
    #[inline]
    pub(crate) fn judge(&self, value: &Value<'_>, to: &mut Judge<'_>) {
        let faults_before = to.faults.len();
        each!(self, rule => rule.judge_value(value, to));
        if let Value::Text(text) | Value::Url(text) = value
            && to.faults.len() > faults_before
        {
            to.remark(text, faults_before);
        }
    }

    /// Appends a value of a typed record as it is sent: in its stored form, but dates and times in ISO 8601, which every
    /// field takes, whatever its format has become meanwhile.
    pub(crate) fn write_sent(&self, value: &Value<'_>, out: &mut String) {
        match self {
            Family::Date(_) | Family::Time(_) | Family::DateTime(_) => write_plain(value, out),
            other => other.write(value, out),
        }
    }

    /// Appends a value of a typed record in its stored form.
    pub(crate) fn write(&self, value: &Value<'_>, out: &mut String) {
        match self {
            Family::Date(rule) => rule.write_value(value, out),
            Family::Time(rule) => rule.write_value(value, out),
            Family::DateTime(rule) => rule.write_value(value, out),
            Family::Phone(rule) => rule.write_value(value, out),
            Family::LatLng(rule) => rule.write_value(value, out),
            _ => write_plain(value, out),
        }
    }
}
