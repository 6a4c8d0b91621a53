//! A whole body, from its first byte to the judged record.

use super::reading::{BodyKind, Reading};
use crate::validate::checked::{Checked, Verdict};
use crate::validate::checker::Checker;
use crate::validate::lookups::Lookups;
use crate::validate::reject::{Rejected, RejectionCode as C};
use crate::validate::scratch::Scratch;
use crate::validate::size::PRIMARY_KEY_BYTES_MAX;
use crate::validate::slot::Held;

impl<'c, 't, 'l> Reading<'c, 't, 'l> {
    /// Reads the body of a new record and judges it.
    pub(crate) fn of_body(
        checker: &'c Checker,
        body: &'t [u8],
        lookups: Option<&'l dyn Lookups>,
    ) -> Result<Self, Rejected> {
        let mut reading = Reading::new(checker, body, lookups)?;
        reading.object(BodyKind::Create)?;
        reading.finish()?;
        Ok(reading)
    }

    /// Reads the body of a new record and judges it, in memory that was used before. A body that is refused costs it.
    pub(in crate::validate) fn of_body_within(
        checker: &'c Checker,
        body: &'t [u8],
        lookups: Option<&'l dyn Lookups>,
        memory: &mut Scratch,
    ) -> Result<Self, Rejected> {
        let mut reading = Reading::within(checker, body, lookups, memory)?;
        reading.object(BodyKind::Create)?;
        reading.finish()?;
        Ok(reading)
    }

    /// Judges what is absent, and refuses what was collected.
    pub(in crate::validate) fn finish(&mut self) -> Result<(), Rejected> {
        for index in 0..self.checker.fields().len() {
            if self.slots[index].is_absent() {
                self.slots[index] = Held::anew(self.missing(index, None));
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
