//! Reads a body once, from bytes to judged slots. Nothing is converted twice and nothing is dropped:
//! what the schema has no place for is a rejection.

mod form;
mod object;
mod value;

pub(crate) use form::text_form;

use super::merge::System;
use super::reject::RejectionCode as C;
use super::slot::{Slot, Sources};
use super::{
    BODY_BYTES_MAX, Checked, Checker, Judge, Lookups, PRIMARY_KEY_BYTES_MAX, Rejected, Rejection,
    Verdict,
};

/// What kind of object is being read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// The body of a new record.
    Create,
    /// The body of an update.
    Change,
    /// The stored record that an update changes: fills what the change left out.
    Stored,
}

/// One record while it is read.
pub(crate) struct Reading<'c, 't, 'l> {
    pub(crate) checker: &'c Checker,
    pub(crate) sources: Sources<'t>,
    pub(crate) slots: Vec<Slot>,
    pub(crate) elements: Vec<Slot>,
    pub(super) system: System,
    judge: Judge<'l>,
    rejections: Vec<Rejection>,
    primary_key_offset: usize,
}

impl<'c, 't, 'l> Reading<'c, 't, 'l> {
    /// Reads the body of a new record and judges it.
    pub(crate) fn of_body(
        checker: &'c Checker,
        body: &'t [u8],
        lookups: Option<&'l dyn Lookups>,
    ) -> Result<Self, Rejected> {
        let mut reading = Reading::new(checker, body, lookups)?;
        reading.object(Kind::Create)?;
        reading.finish()?;
        Ok(reading)
    }

    pub(super) fn new(
        checker: &'c Checker,
        body: &'t [u8],
        lookups: Option<&'l dyn Lookups>,
    ) -> Result<Self, Rejected> {
        let sources = Sources {
            body: text_of(body)?,
            stored: "",
            scratch: String::new(),
        };
        Ok(Reading {
            checker,
            sources,
            slots: vec![Slot::Absent; checker.fields().len()],
            elements: Vec::new(),
            system: System::default(),
            judge: Judge::new(lookups),
            rejections: Vec::new(),
            primary_key_offset: 0,
        })
    }

    /// Judges what is absent, and refuses what was collected.
    pub(super) fn finish(&mut self) -> Result<(), Rejected> {
        for index in 0..self.slots.len() {
            if matches!(self.slots[index], Slot::Absent) {
                self.slots[index] = self.missing(index, None);
            }
        }
        if let Some(index) = self.checker.primary_key_index()
            && self.primary_key_length(index) > PRIMARY_KEY_BYTES_MAX
        {
            let name = self.checker.fields()[index].name.clone();
            self.reject(C::PrimaryKeyTooLong, self.primary_key_offset, &name);
        }
        self.refuse()
    }

    /// Refuses what was collected so far.
    pub(super) fn refuse(&mut self) -> Result<(), Rejected> {
        if self.rejections.is_empty() {
            Ok(())
        } else {
            Err(Rejected::all(std::mem::take(&mut self.rejections)))
        }
    }

    pub(crate) fn is_clean(&self) -> bool {
        self.judge.faults.is_empty()
    }

    /// Writes the normal form.
    pub(crate) fn into_checked(self) -> Checked {
        let (normal_form, primary_key) = self.normal_form();
        Checked::new(
            normal_form,
            primary_key,
            Verdict::new(self.checker, self.judge),
        )
    }
}

/// The body as text.
fn text_of(body: &[u8]) -> Result<&str, Rejected> {
    if body.len() > BODY_BYTES_MAX {
        return Err(Rejected::one(C::TooLarge, BODY_BYTES_MAX));
    }
    if body.starts_with(b"\xEF\xBB\xBF") {
        return Err(Rejected::one(C::ByteOrderMark, 0));
    }
    std::str::from_utf8(body).map_err(|error| Rejected::one(C::Utf8, error.valid_up_to()))
}
