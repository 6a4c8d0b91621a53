//! One record while it is read: the texts, the slots that point into them, and what was found wrong so
//! far. It knows no grammar: that is the reading files' beside it.

use super::system::SystemProperties;
use crate::validate::checker::Checker;
use crate::validate::fault::Rule;
use crate::validate::judge::Judge;
use crate::validate::lookups::Lookups;
use crate::validate::reject::{Rejected, Rejection, RejectionCode as C};
use crate::validate::scratch::Scratch;
use crate::validate::size::BODY_BYTES_MAX;
use crate::validate::slot::{Held, Slot, Source, Sources, narrow};
use std::ops::Range;

/// What kind of object is being read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::validate) enum BodyKind {
    /// The body of a new record.
    Create,
    /// The body of an update.
    Change,
    /// The stored record that an update changes: fills what the change left out.
    Stored,
}

impl BodyKind {
    /// The text that slots of such an object point into.
    #[inline]
    pub(super) fn source(self) -> Source {
        if self == BodyKind::Stored {
            Source::Stored
        } else {
            Source::Body
        }
    }
}

/// One record while it is read.
pub(crate) struct Reading<'c, 't, 'l> {
    pub(crate) checker: &'c Checker,
    pub(crate) sources: Sources<'t>,
    /// A value for each field, and behind them the elements of lists.
    pub(crate) slots: Vec<Held>,
    /// The last fields whose keys stand right behind the value of the field before, as they do in the normal form.
    pub(super) in_order: Range<usize>,
    pub(in crate::validate) system: SystemProperties,
    pub(super) judge: Judge<'l>,
    pub(super) rejections: Vec<Rejection>,
    pub(super) primary_key_offset: usize,
    /// Whether a primary key that is read is kept as it stands, whatever the form of its type: it is a stored one.
    pub(in crate::validate) keeps_key: bool,
}

impl<'c, 't, 'l> Reading<'c, 't, 'l> {
    /// Nothing is read yet.
    pub(in crate::validate) fn new(
        checker: &'c Checker,
        body: &'t [u8],
        lookups: Option<&'l dyn Lookups>,
    ) -> Result<Self, Rejected> {
        Reading::within(checker, body, lookups, &mut Scratch::new())
    }

    /// Nothing is read yet, into memory that was used before.
    pub(in crate::validate) fn within(
        checker: &'c Checker,
        body: &'t [u8],
        lookups: Option<&'l dyn Lookups>,
        memory: &mut Scratch,
    ) -> Result<Self, Rejected> {
        let body = text_of(body)?;
        let Scratch {
            mut slots,
            mut decoded,
        } = std::mem::take(memory);
        slots.clear();
        slots.reserve(checker.slots());
        slots.resize(checker.fields().len(), Held::ABSENT);
        decoded.clear();
        Ok(Reading {
            checker,
            sources: Sources {
                body,
                stored: "",
                scratch: decoded,
            },
            slots,
            in_order: 0..0,
            system: SystemProperties::default(),
            judge: Judge::new(lookups),
            rejections: Vec::new(),
            primary_key_offset: 0,
            keeps_key: false,
        })
    }

    /// The slot of a missing value, which is a fault where the field is required.
    pub(super) fn missing(&mut self, index: usize, offset: Option<u32>) -> Slot {
        if self.checker.fields()[index].required {
            self.judge.at(narrow(index), None, offset);
            self.judge.fault(Rule::Required);
        }
        Slot::Missing
    }

    /// Puts down why the body will be refused.
    #[cold]
    pub(super) fn reject(&mut self, code: C, offset: usize, name: &str) {
        self.rejections.push(Rejection {
            code,
            offset,
            name: Some(name.to_owned()),
        });
    }

    /// Refuses what was collected so far.
    pub(in crate::validate) fn refuse(&mut self) -> Result<(), Rejected> {
        if self.rejections.is_empty() {
            Ok(())
        } else {
            Err(Rejected::all(std::mem::take(&mut self.rejections)))
        }
    }

    /// Leaves its memory to the next one; what was found wrong stays.
    pub(in crate::validate) fn leave(self, memory: &mut Scratch) -> Judge<'l> {
        *memory = Scratch {
            slots: self.slots,
            decoded: self.sources.scratch,
        };
        self.judge
    }

    /// Whether nothing was found wrong with any value.
    pub(crate) fn is_clean(&self) -> bool {
        self.judge.faults.is_empty()
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
