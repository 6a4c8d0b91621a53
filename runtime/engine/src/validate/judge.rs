//! Where rules put their faults, each with the value that they are looking at.

use super::fault::{Fault, Rule};
use super::lookups::Lookups;
use super::remark::Remark;
use super::slot::Slot;
use std::sync::Arc;

/// Collects the faults of one record.
pub struct Judge<'l> {
    pub(crate) lookups: Option<&'l dyn Lookups>,
    pub(crate) faults: Vec<Fault>,
    /// Whether a rule could not be judged for want of look-ups.
    pub(crate) unjudged: bool,
    /// Text that replaces what was sent: a file's id for its address.
    pub(crate) resolved: Option<String>,
    /// Whether the value at hand is stored as it was sent, once it has been read.
    pub(crate) as_sent: bool,
    field: Option<Arc<str>>,
    index: u32,
    position: Option<u32>,
    offset: Option<u32>,
}

impl<'l> Judge<'l> {
    pub(crate) fn new(lookups: Option<&'l dyn Lookups>) -> Self {
        Judge {
            lookups,
            faults: Vec::new(),
            unjudged: false,
            resolved: None,
            as_sent: false,
            field: None,
            index: 0,
            position: None,
            offset: None,
        }
    }

    /// Names the value that the next faults are about.
    #[inline]
    pub(crate) fn at(&mut self, index: u32, position: Option<u32>, offset: Option<u32>) {
        self.index = index;
        self.position = position;
        self.offset = offset;
        self.as_sent = false;
    }

    /// A slot of a value that is stored as it was sent, if `as_sent` says so.
    #[inline]
    pub(crate) fn sent(&mut self, slot: Slot, as_sent: bool) -> Slot {
        self.as_sent = as_sent;
        slot
    }

    /// Names another element of the same value.
    pub(crate) fn at_position(&mut self, position: u32) {
        self.position = Some(position);
    }

    /// Records a fault of the value at hand; its field's name is filled in at the end.
    #[cold]
    pub(crate) fn fault(&mut self, rule: Rule) {
        let field = self.field.get_or_insert_with(|| Arc::from("")).clone();
        let Judge {
            index,
            position,
            offset,
            ..
        } = *self;
        self.faults.push(Fault {
            field,
            index,
            position,
            rule,
            offset,
            remark: None,
        });
    }

    /// Tells what is easily overlooked in a text behind each of its faults, which are those from `first` on.
    #[cold]
    pub(crate) fn remark(&mut self, text: &str, first: usize) {
        let of_text = Remark::of(text);
        let is_truth = || {
            ["true", "false"]
                .iter()
                .any(|it| text.eq_ignore_ascii_case(it))
        };
        for fault in &mut self.faults[first..] {
            let is_text = matches!(fault.rule, Rule::Boolean(_)) && is_truth();
            fault.remark = of_text.or_else(|| is_text.then_some(Remark::Text));
        }
    }
}
