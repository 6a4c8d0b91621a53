//! Where a value stands between reading and writing: a small copyable slot that points into the
//! text it came from, so that reading a clean record allocates next to nothing.

use schema::Hundredths;
use schema::format::{Day, Moment, TimeOfDay};

/// Which text a [`Piece`] points into.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Source {
    /// The body being judged.
    Body,
    /// The stored record of an update.
    Stored,
    /// Text that had to be made: decoded escapes, resolved file ids.
    Scratch,
}

/// A run of text in one of the sources.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Piece {
    pub(crate) source: Source,
    pub(crate) start: u32,
    pub(crate) end: u32,
}

impl Piece {
    pub(crate) fn len(self) -> usize {
        (self.end - self.start) as usize
    }
}

/// One value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Slot {
    /// Its key has not been seen.
    Absent,
    /// It is missing: stored as `null`.
    Missing,
    /// A text, decoded.
    Text(Piece),
    /// A phone number, as written; stored without its punctuation.
    Phone(Piece),
    /// A place, as written; stored without spaces.
    LatLng(Piece),
    Integer(i64),
    Float(f64),
    /// Hundredths, in two halves: an `i128` would double the slot's alignment.
    Money([u64; 2]),
    Bool(bool),
    Day(Day),
    Time(TimeOfDay),
    Moment(Moment),
    /// The index of a static picklist's entry.
    Code(u32),
    /// A run of the elements, which stand behind the fields.
    List {
        start: u32,
        end: u32,
    },
    /// A refused value: JSON text, as sent.
    Raw(Piece),
    /// A refused single value of a multivalue field: stored as an array of one.
    RawInArray(Piece),
}

impl Slot {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "the two halves of 128 bits"
    )]
    pub(crate) fn money(amount: Hundredths) -> Self {
        Slot::Money([(amount.get() >> 64) as u64, amount.get() as u64])
    }

    #[expect(clippy::cast_possible_wrap, reason = "the two halves of 128 bits")]
    pub(crate) fn money_of(halves: [u64; 2]) -> i128 {
        ((u128::from(halves[0]) << 64) | u128::from(halves[1])) as i128
    }
}

/// Where the JSON text of a value stands that is stored as it was sent: offsets in the body and, behind its end, in the
/// stored record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Sent {
    pub(crate) start: u32,
    pub(crate) end: u32,
}

impl Sent {
    /// Of a value that is stored otherwise, or was not sent.
    pub(crate) const NOWHERE: Sent = Sent { start: 0, end: 0 };

    pub(crate) fn is_nowhere(self) -> bool {
        self.end == 0
    }
}

/// A value, and its text where that is what is stored.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Held {
    pub(crate) slot: Slot,
    pub(crate) sent: Sent,
}

impl Held {
    /// A key has not been seen.
    pub(crate) const ABSENT: Held = Held::anew(Slot::Absent);

    /// A value whose stored form is to be written.
    pub(crate) const fn anew(slot: Slot) -> Self {
        Held {
            slot,
            sent: Sent::NOWHERE,
        }
    }

    pub(crate) fn is_absent(&self) -> bool {
        matches!(self.slot, Slot::Absent)
    }
}

/// The texts that slots point into.
#[derive(Clone, Debug)]
pub(crate) struct Sources<'t> {
    pub(crate) body: &'t str,
    pub(crate) stored: &'t str,
    pub(crate) scratch: String,
}

impl Sources<'_> {
    #[inline]
    pub(crate) fn get(&self, piece: Piece) -> &str {
        let text = match piece.source {
            Source::Body => self.body,
            Source::Stored => self.stored,
            Source::Scratch => &self.scratch,
        };
        &text[piece.start as usize..piece.end as usize]
    }

    /// Where the text between two offsets of an object of this source is sent.
    #[inline]
    pub(crate) fn place(&self, source: Source, start: usize, end: usize) -> Sent {
        let before = match source {
            Source::Body => 0,
            Source::Stored => self.body.len(),
            Source::Scratch => return Sent::NOWHERE,
        };
        Sent {
            start: narrow(before + start),
            end: narrow(before + end),
        }
    }

    /// What was sent from one place to another; `None` where these are not of one text, or in the wrong order.
    #[inline]
    pub(crate) fn sent(&self, start: u32, end: u32) -> Option<&str> {
        let (start, end) = (start as usize, end as usize);
        match start.checked_sub(self.body.len()) {
            None => self.body.get(start..end),
            Some(start) => self.stored.get(start..end.checked_sub(self.body.len())?),
        }
    }
}

/// An offset within a body, whose size is limited to what fits.
#[inline]
pub(crate) fn narrow(offset: usize) -> u32 {
    // INVARIANT: bodies are refused above BODY_BYTES_MAX, far below 4 GiB
    u32::try_from(offset).unwrap_or(u32::MAX)
}
