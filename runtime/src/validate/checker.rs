//! A schema compiled for judging: fields found by name, limits parsed, picklists as sets.

use super::rule::Family;
use super::{Checked, Judge, Lookups, Merged, Reading, Rejected, Verdict};
use crate::value::Value;
use rustc_hash::FxHashMap;
use schema::json::write_string;
use schema::{Field, Limits, Origin, Path, Problem, Problems, Schema, Severity, check};
use std::sync::Arc;

/// Judges records of one schema. Compile it once; it is cheap to share and never changes.
#[derive(Debug)]
pub struct Checker {
    fields: Vec<FieldRule>,
    by_name: FxHashMap<Box<str>, Known>,
    primary_key: Option<usize>,
    /// Bytes of the normal form that do not depend on the record: keys and punctuation.
    frame_bytes: usize,
}

/// One active field, compiled.
#[expect(
    clippy::struct_excessive_bools,
    reason = "they are the interface's own flags"
)]
#[derive(Debug)]
pub struct FieldRule {
    pub(crate) name: Arc<str>,
    /// `"name":` as it stands in the normal form.
    pub(crate) key: Box<str>,
    pub(crate) family: Family,
    pub(crate) required: bool,
    pub(crate) multivalue: bool,
    pub(crate) pii: bool,
    pub(crate) primary_key: bool,
    pub(crate) keeps_blank: bool,
}

impl FieldRule {
    /// The field's display name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Whether it holds personally identifiable information.
    pub fn is_pii(&self) -> bool {
        self.pii
    }

    fn compile(field: &Field, limits: Limits) -> Self {
        let mut key = String::new();
        write_string(&mut key, &field.name);
        key.push(':');
        let family = Family::compile(field, limits);
        let multivalue = field.is_multivalue();
        FieldRule {
            name: field.name.as_str().into(),
            key: key.into(),
            keeps_blank: !multivalue && matches!(&family, Family::Text(text) if text.keeps_blank()),
            family,
            required: field.required,
            multivalue,
            pii: field.is_pii(),
            primary_key: field.primary_key,
        }
    }
}

/// What a key names.
#[derive(Clone, Copy, Debug)]
pub(super) enum Known {
    Active(usize),
    Inactive,
}

impl Checker {
    /// Compiles a schema.
    ///
    /// # Errors
    /// Every contradiction of the schema; what is only warned of in a schema from elsewhere is not one.
    pub fn new(schema: &Schema) -> Result<Self, Problems> {
        let mut problems = check(schema, Origin::Elsewhere);
        problems.retain(|problem: &Problem| problem.severity == Severity::Error);
        if !problems.is_empty() {
            return Err(Problems { items: problems });
        }
        let mut by_name = FxHashMap::default();
        for field in schema.fields.iter().filter(|field| !field.active) {
            by_name.insert(field.name.as_str().into(), Known::Inactive);
        }
        let mut fields = Vec::new();
        for (at, field) in schema.fields.iter().enumerate().filter(|(_, f)| f.active) {
            // an active field wins over an inactive one of the same name
            by_name.insert(field.name.as_str().into(), Known::Active(fields.len()));
            // the check above has reported every such fault, so that there is none left here
            let limits = Limits::of(field).map_err(|faults| Problems {
                items: faults
                    .into_iter()
                    .map(|fault| Problem::of_limit(Path::field(at), fault))
                    .collect(),
            })?;
            fields.push(FieldRule::compile(field, limits));
        }
        Ok(Checker {
            primary_key: fields.iter().position(|field| field.primary_key),
            frame_bytes: 2 + fields
                .iter()
                .map(|field| field.key.len() + 5)
                .sum::<usize>(),
            fields,
            by_name,
        })
    }

    /// The active fields, in the order of the schema.
    pub fn fields(&self) -> &[FieldRule] {
        &self.fields
    }

    pub(crate) fn primary_key_index(&self) -> Option<usize> {
        self.primary_key
    }

    pub(crate) fn frame_bytes(&self) -> usize {
        self.frame_bytes
    }

    /// The index of an active field.
    pub(crate) fn index_of(&self, name: &str) -> Option<usize> {
        match self.by_name.get(name)? {
            Known::Active(index) => Some(*index),
            Known::Inactive => None,
        }
    }

    /// What a key names; `expected` is the field that follows the one before, which is nearly always right.
    #[inline]
    pub(super) fn find(&self, key: &str, expected: usize) -> Option<Known> {
        match self.fields.get(expected) {
            Some(field) if *field.name == *key => Some(Known::Active(expected)),
            _ => self.by_name.get(key).copied(),
        }
    }

    /// Judges the body of a new record, without look-ups: codes of dynamic domains and facts of files
    /// are not judged, and [`Verdict::is_fully_judged`] says so.
    ///
    /// # Errors
    /// When the body is no flat JSON object of the schema's active fields.
    pub fn check(&self, body: &[u8]) -> Result<Checked, Rejected> {
        self.check_with(body, None)
    }

    /// Judges the body of a new record.
    ///
    /// # Errors
    /// When the body is no flat JSON object of the schema's active fields.
    pub fn check_with(
        &self,
        body: &[u8],
        lookups: Option<&dyn Lookups>,
    ) -> Result<Checked, Rejected> {
        Ok(Reading::of_body(self, body, lookups)?.into_checked())
    }

    /// Judges the change of a stored record: omitted fields keep their stored value, `null` clears,
    /// and the whole record is judged. `stored` holds the values of the active fields by name.
    ///
    /// # Errors
    /// When the change is no flat JSON object of the schema's active fields (`_version`,
    /// `_dataObjectId` and `_errors` are allowed, and handed back), or the stored record is not one.
    pub fn merge(
        &self,
        stored: &str,
        change: &[u8],
        lookups: Option<&dyn Lookups>,
    ) -> Result<Merged, Rejected> {
        super::merge::merge(self, stored, change, lookups)
    }

    /// Writes values that a program made as a normal form, in the order of the active fields.
    pub(crate) fn write<'v>(&self, values: impl Iterator<Item = Value<'v>>) -> String {
        let mut out = String::with_capacity(self.frame_bytes * 2);
        out.push('{');
        for (index, (field, value)) in self.fields.iter().zip(values).enumerate() {
            if index > 0 {
                out.push(',');
            }
            out.push_str(&field.key);
            field.write(&value, &mut out);
        }
        out.push('}');
        out
    }

    /// The text of a primary key that a program made.
    pub(crate) fn primary_key_text(&self, index: usize, value: &Value<'_>) -> Option<String> {
        if value.is_missing() {
            return None;
        }
        let mut json = String::new();
        self.fields[index].write(value, &mut json);
        Some(super::text_form(&json).into_owned())
    }

    /// Judges a record that a program made: `one` judges the value of the field it is given.
    pub(crate) fn judge_each(
        &self,
        lookups: Option<&dyn Lookups>,
        one: impl Fn(usize, &FieldRule, &mut Judge<'_>),
    ) -> Verdict {
        let mut judge = Judge::new(lookups);
        for (index, field) in self.fields.iter().enumerate() {
            judge.at(super::slot::narrow(index), None, None);
            one(index, field, &mut judge);
        }
        Verdict::new(self, judge)
    }
}

impl FieldRule {
    fn write(&self, value: &Value<'_>, out: &mut String) {
        match value {
            value if !self.keeps_blank && value.is_missing() => out.push_str("null"),
            Value::List(items) => {
                out.push('[');
                for (index, item) in items.iter().enumerate() {
                    if index > 0 {
                        out.push(',');
                    }
                    self.family.write(&item, out);
                }
                out.push(']');
            }
            Value::Text(text) if self.primary_key => {
                self.family.write(&Value::Text(text.trim()), out);
            }
            value => self.family.write(value, out),
        }
    }

    #[inline(always)]
    #[expect(
        clippy::inline_always,
        reason = "measured: the kind of value is known where it is called"
    )]
    pub(crate) fn judge(&self, value: &Value<'_>, judge: &mut Judge<'_>) {
        if value.is_missing() {
            if self.required {
                judge.fault(super::Rule::Required);
            }
            return;
        }
        match value {
            Value::List(_) if !self.multivalue => judge.fault(super::Rule::Single),
            Value::List(items) => {
                for (item, position) in items.iter().zip(1..) {
                    judge.at_position(position);
                    if item.is_missing() {
                        judge.fault(super::Rule::ElementMissing);
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
