//! What a [`Checker`] is asked: to judge the body of a new record, a change of a stored one, or values
//! that a program made; and to write those.

use super::checked::{Checked, Verdict};
use super::checker::Checker;
use super::field_rule::FieldRule;
use super::judge::Judge;
use super::lookups::Lookups;
use super::merge::{Merged, merge};
use super::read::{Reading, text_form};
use super::reject::Rejected;
use super::scratch::Scratch;
use super::slot::narrow;
use crate::value::Value;

impl Checker {
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

    /// Whether the body of a new record is one without faults. It writes no normal form, and asks for memory only where
    /// `scratch` has too little, or something is wrong.
    ///
    /// # Errors
    /// When the body is no flat JSON object of the schema's active fields.
    pub fn judge(
        &self,
        body: &[u8],
        lookups: Option<&dyn Lookups>,
        scratch: &mut Scratch,
    ) -> Result<bool, Rejected> {
        let reading = Reading::of_body_within(self, body, lookups, scratch)?;
        let is_clean = reading.is_clean();
        reading.leave(scratch);
        Ok(is_clean)
    }

    /// Judges the body of a new record as [`check_with`](Self::check_with) does, and puts its normal form in place of what
    /// `normal_form` held. It asks for memory only where these two have too little, or something is wrong.
    ///
    /// # Errors
    /// When the body is no flat JSON object of the schema's active fields; `normal_form` is empty then.
    pub fn check_into(
        &self,
        body: &[u8],
        lookups: Option<&dyn Lookups>,
        scratch: &mut Scratch,
        normal_form: &mut String,
    ) -> Result<Verdict, Rejected> {
        normal_form.clear();
        let reading = Reading::of_body_within(self, body, lookups, scratch)?;
        reading.write_normal_form(normal_form);
        Ok(Verdict::new(self, reading.leave(scratch)))
    }

    /// Judges the change of a stored record: omitted fields keep their stored value, `null` clears,
    /// and the whole record is judged. `stored` holds the values of the active fields by name. A primary key that the
    /// change leaves out stays as it is stored, also where rules that changed since make it one of another form.
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
        merge(self, stored, change, lookups)
    }

    /// Writes values that a program made as a normal form, in the order of the active fields.
    pub(crate) fn write<'v>(&self, values: impl Iterator<Item = Value<'v>>) -> String {
        self.write_by(FieldRule::write, values)
    }

    /// Writes values that a program made as a body that is sent: dates and times in ISO 8601.
    pub(crate) fn write_sent<'v>(&self, values: impl Iterator<Item = Value<'v>>) -> String {
        self.write_by(FieldRule::write_sent, values)
    }

    #[inline]
    fn write_by<'v>(
        &self,
        one: impl Fn(&FieldRule, &Value<'_>, &mut String),
        values: impl Iterator<Item = Value<'v>>,
    ) -> String {
        let mut out = String::with_capacity(self.frame_bytes() * 2);
        out.push('{');
        for (index, (field, value)) in self.fields().iter().zip(values).enumerate() {
            if index > 0 {
                out.push(',');
            }
            out.push_str(field.key());
            one(field, &value, &mut out);
        }
        out.push('}');
        out
    }

    /// Appends the member of one field, with a value that a program made.
    pub(crate) fn write_member(&self, index: usize, value: &Value<'_>, out: &mut String) {
        let field = &self.fields()[index];
        out.push_str(field.key());
        field.write(value, out);
    }

    /// The same as it is sent: a date or time in ISO 8601.
    pub(crate) fn write_sent_member(&self, index: usize, value: &Value<'_>, out: &mut String) {
        let field = &self.fields()[index];
        out.push_str(field.key());
        field.write_sent(value, out);
    }

    /// The text of a primary key that a program made.
    pub(crate) fn primary_key_text(&self, index: usize, value: &Value<'_>) -> Option<String> {
        if value.is_missing() {
            return None;
        }
        let mut json = String::new();
        self.fields()[index].write(value, &mut json);
        Some(text_form(&json).into_owned())
    }

    /// Judges a record that a program made: `one` judges the value of the field it is given.
    pub(crate) fn judge_each(
        &self,
        lookups: Option<&dyn Lookups>,
        one: impl Fn(usize, &FieldRule, &mut Judge<'_>),
    ) -> Verdict {
        let mut judge = Judge::new(lookups);
        for (index, field) in self.fields().iter().enumerate() {
            judge.at(narrow(index), None, None);
            one(index, field, &mut judge);
        }
        Verdict::new(self, judge)
    }
}
