//! What comes out of a reading: the normal form and the text of the primary key in it.

use super::reading::Reading;
use crate::validate::checked::PrimaryKeyText;
use crate::validate::size::PRIMARY_KEY_BYTES_MAX;
use crate::validate::slot::{Held, Sent, Slot};
use schema::json::{Scanner, Token};
use std::borrow::Cow;

impl Reading<'_, '_, '_> {
    /// The bytes of the primary key's text; of a short one, no fewer than it has.
    pub(super) fn primary_key_length(&self, index: usize) -> usize {
        match self.slots[index].slot {
            Slot::Text(piece) => piece.len(),
            Slot::Phone(piece) | Slot::LatLng(piece) | Slot::Raw(piece)
                if piece.len() <= PRIMARY_KEY_BYTES_MAX =>
            {
                piece.len()
            }
            Slot::Phone(_) | Slot::LatLng(_) | Slot::Raw(_) | Slot::Code(_) => {
                let mut json = String::new();
                self.write_slot(self.slots[index].slot, index, &mut json);
                text_form(&json).len()
            }
            _ => 0,
        }
    }

    pub(super) fn normal_form(&self) -> (String, PrimaryKeyText) {
        let mut out = String::with_capacity(
            self.checker.frame_bytes() + self.sources.body.len() + self.sources.stored.len(),
        );
        let primary_key = self.write_normal_form(&mut out);
        (out, primary_key)
    }

    /// Writes the normal form into an empty text. What stands side by side in a body as it stands in the normal form is
    /// copied at once.
    pub(in crate::validate) fn write_normal_form(&self, out: &mut String) -> PrimaryKeyText {
        let mut primary_key = PrimaryKeyText::None;
        // sent, and not copied yet
        let mut run = Sent::NOWHERE;
        out.push('{');
        for (index, (field, held)) in self.checker.fields().iter().zip(&self.slots).enumerate() {
            let Held { slot, sent } = *held;
            if !sent.is_nowhere() && !run.is_nowhere() && self.stands_behind(run, sent, index) {
                run.end = sent.end;
            } else {
                self.copy(run, out);
                let key = if index > 0 {
                    &field.member
                } else {
                    field.key()
                };
                out.push_str(key);
                run = sent;
            }
            let start = out.len() + (sent.start - run.start) as usize;
            if sent.is_nowhere() {
                self.write_slot(slot, index, out);
            }
            if field.primary_key {
                primary_key = self.primary_key(*held, start, out);
            }
        }
        self.copy(run, out);
        out.push('}');
        primary_key
    }

    /// Whether a field's value stands behind a run that ends with the field before it as it does in the normal form.
    #[inline]
    fn stands_behind(&self, run: Sent, sent: Sent, index: usize) -> bool {
        self.in_order.contains(&index)
            || self.sources.sent(run.end, sent.start) == Some(&self.checker.fields()[index].member)
    }

    #[inline]
    fn copy(&self, run: Sent, out: &mut String) {
        // INVARIANT: a run is a part of one text
        if !run.is_nowhere()
            && let Some(text) = self.sources.sent(run.start, run.end)
        {
            out.push_str(text);
        }
    }

    /// Finds the text of the primary key in its JSON, which begins at `start`, or will once it is copied.
    fn primary_key(&self, held: Held, start: usize, out: &str) -> PrimaryKeyText {
        let copied = self.sources.sent(held.sent.start, held.sent.end);
        let json = match copied {
            Some(json) if !held.sent.is_nowhere() => json,
            _ => &out[start..],
        };
        let end = start + json.len();
        match held.slot {
            Slot::Missing => PrimaryKeyText::None,
            Slot::Text(piece) if self.sources.get(piece).is_empty() => PrimaryKeyText::None,
            _ if json.starts_with('"') && json.contains('\\') => {
                PrimaryKeyText::Own(text_form(json).into_owned())
            }
            _ if json.starts_with('"') => PrimaryKeyText::Part(start + 1..end - 1),
            _ => PrimaryKeyText::Part(start..end),
        }
    }
}

/// The text form of a stored primary key: a string's characters, any other value's JSON.
pub(in crate::validate) fn text_form(json: &str) -> Cow<'_, str> {
    match Scanner::new(json).token() {
        Ok(Token::String(text)) => text.decode(),
        _ => json.into(),
    }
}
