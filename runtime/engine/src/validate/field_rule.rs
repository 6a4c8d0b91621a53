//! One field, compiled: what goes for a value before and after the rule of its family, which is whether
//! it may be missing or be several, and how it is written.

use super::fault::Rule;
use super::judge::Judge;
use super::rule::Family;
use crate::value::Value;
use schema::json::write_string;
use schema::{Field, Limits};
use std::sync::Arc;

/// One active field, compiled.
#[expect(
    clippy::struct_excessive_bools,
    reason = "they are the interface's own flags"
)]
#[derive(Debug)]
pub struct FieldRule {
    pub(crate) name: Arc<str>,
    /// `,"name":` as it stands in the normal form.
    pub(crate) member: Box<str>,
    pub(crate) family: Family,
    pub(crate) required: bool,
    pub(crate) multivalue: bool,
    pub(crate) pii: bool,
    pub(crate) primary_key: bool,
    pub(crate) keeps_blank: bool,
    is_simple: bool,
}

impl FieldRule {
    /// Whether it holds one value, and any text stays as it is.
    #[inline]
    pub(super) fn is_simple(&self) -> bool {
        self.is_simple
    }

    /// `"name":`
    #[inline]
    pub(crate) fn key(&self) -> &str {
        &self.member[1..]
    }

    /// The field's display name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Whether it holds personally identifiable information.
    pub fn is_pii(&self) -> bool {
        self.pii
    }

    /// The rule of a field, for which `limits` were compiled.
    pub(super) fn compile(field: &Field, limits: Limits) -> Self {
        let mut member = String::from(",");
        write_string(&mut member, &field.name);
        member.push(':');
        let family = Family::compile(field, limits);
        let multivalue = field.is_multivalue();
        FieldRule {
            name: field.name.as_str().into(),
            member: member.into(),
            keeps_blank: !multivalue && matches!(&family, Family::Text(text) if text.keeps_blank()),
            family,
            required: field.required,
            multivalue,
            is_simple: !multivalue && !field.primary_key,
            pii: field.is_pii(),
            primary_key: field.primary_key,
        }
    }

    /// Lets a static picklist keep codes that it does not have.
    pub(super) fn keep_unknown_codes(&mut self) {
        if let Family::StaticPicklist(picklist) = &mut self.family {
            picklist.keep_unknown();
        }
    }

    /// Appends a value that a program made, in its stored form.
    pub(super) fn write(&self, value: &Value<'_>, out: &mut String) {
        self.write_by(Family::write, value, out);
    }

    /// Appends a value that a program made as it is sent to a service: [`Family::write_sent`].
    pub(super) fn write_sent(&self, value: &Value<'_>, out: &mut String) {
        self.write_by(Family::write_sent, value, out);
    }

    #[inline]
    fn write_by(
        &self,
        one: impl Fn(&Family, &Value<'_>, &mut String),
        value: &Value<'_>,
        out: &mut String,
    ) {
        match value {
            value if !self.keeps_blank && value.is_missing() => out.push_str("null"),
            Value::List(items) => {
                out.push('[');
                for (index, item) in items.iter().enumerate() {
                    if index > 0 {
                        out.push(',');
                    }
                    one(&self.family, &item, out);
                }
                out.push(']');
            }
            Value::Text(text) if self.primary_key => {
                one(&self.family, &Value::Text(text.trim()), out);
            }
            value => one(&self.family, value, out),
        }
    }

    /// Judges a value that a program made.
    #[inline(always)]
    #[expect(
        clippy::inline_always,
        reason = "measured: the kind of value is known where it is called"
    )]
    pub(crate) fn judge(&self, value: &Value<'_>, judge: &mut Judge<'_>) {
        if value.is_missing() {
            if self.required {
                judge.fault(Rule::Required);
            }
            return;
        }
        match value {
            Value::List(_) if !self.multivalue => judge.fault(Rule::Single),
            Value::List(items) => {
                for (item, position) in items.iter().zip(1..) {
                    judge.at_position(position);
                    if item.is_missing() {
                        judge.fault(Rule::ElementMissing);
                    } else {
                        self.family.judge(&item, judge);
                    }
                }
            }
            Value::Text(text) if self.primary_key => {
                self.family.judge(&Value::Text(text.trim()), judge);
            }
            value => self.family.judge(value, judge),
        }
    }
}
