//! A judged reading, handed to a struct's constructor field by field.

use super::field_value::FieldValue;
use super::slot_ref::SlotRef;
use crate::validate::Reading;

/// The slots of a clean record, in the order of the active fields.
pub struct Slots<'a> {
    reading: &'a Reading<'a, 'a, 'a>,
    next: usize,
}

impl<'a> Slots<'a> {
    pub(super) fn new(reading: &'a Reading<'a, 'a, 'a>) -> Self {
        Slots { reading, next: 0 }
    }

    /// The next field's value; `None` when the Rust type can't hold it, which the derive has ruled out.
    #[inline]
    pub fn take<T: FieldValue>(&mut self) -> Option<T> {
        let index = self.next;
        self.next += 1;
        T::from_slot(SlotRef {
            reading: self.reading,
            slot: self.reading.slots.get(index)?.slot,
            index,
        })
    }
}
