//! One judged slot as whichever Rust type a field asks for; `None` where the slot is of another kind.

use crate::validate::Reading;
use crate::validate::rule::{naive_date, naive_time};
use crate::validate::slot::Slot;
use crate::value::write_phone;
use chrono::{NaiveDate, NaiveDateTime, NaiveTime};
use rust_decimal::Decimal;
use std::borrow::Cow;

/// One slot and the texts it may point into.
#[derive(Clone, Copy)]
pub struct SlotRef<'a> {
    pub(super) reading: &'a Reading<'a, 'a, 'a>,
    pub(super) slot: Slot,
    pub(super) index: usize,
}

impl<'a> SlotRef<'a> {
    #[inline]
    pub(super) fn is_missing(self) -> bool {
        self.slot == Slot::Missing
    }

    /// The text of any field that holds text, in its stored form.
    #[inline]
    pub(super) fn text(self) -> Option<Cow<'a, str>> {
        match self.slot {
            // a place is tidied by its own type
            Slot::Text(piece) | Slot::LatLng(piece) => Some(self.reading.sources.get(piece).into()),
            Slot::Phone(piece) => {
                let written = self.reading.sources.get(piece);
                let mut stored = String::with_capacity(written.len());
                write_phone(&mut stored, written);
                Some(stored.into())
            }
            _ => None,
        }
    }

    #[inline]
    pub(super) fn integer(self) -> Option<i64> {
        match self.slot {
            Slot::Integer(value) => Some(value),
            _ => None,
        }
    }

    #[inline]
    pub(super) fn float(self) -> Option<f64> {
        match self.slot {
            Slot::Float(value) => Some(value),
            _ => None,
        }
    }

    pub(super) fn decimal(self) -> Option<Decimal> {
        match self.slot {
            Slot::Money(halves) => {
                let amount = Decimal::try_from_i128_with_scale(Slot::money_of(halves), 2).ok()?;
                Some(amount.normalize())
            }
            _ => None,
        }
    }

    pub(super) fn bool(self) -> Option<bool> {
        match self.slot {
            Slot::Bool(value) => Some(value),
            _ => None,
        }
    }

    pub(super) fn date(self) -> Option<NaiveDate> {
        match self.slot {
            Slot::Day(day) => Some(naive_date(day)),
            _ => None,
        }
    }

    pub(super) fn time(self) -> Option<NaiveTime> {
        match self.slot {
            Slot::Time(time) => Some(naive_time(time)),
            _ => None,
        }
    }

    pub(super) fn date_time(self) -> Option<NaiveDateTime> {
        match self.slot {
            Slot::Moment(moment) => Some(naive_date(moment.day).and_time(naive_time(moment.time))),
            _ => None,
        }
    }

    pub(super) fn code(self) -> Option<usize> {
        match self.slot {
            Slot::Code(index) => Some(index as usize),
            _ => None,
        }
    }

    /// The elements of a multivalue.
    pub(super) fn list(self) -> Option<impl Iterator<Item = SlotRef<'a>>> {
        let Slot::List { start, end } = self.slot else {
            return None;
        };
        let SlotRef { reading, index, .. } = self;
        let elements = &reading.slots[start as usize..end as usize];
        Some(elements.iter().map(move |held| SlotRef {
            reading,
            slot: held.slot,
            index,
        }))
    }
}
