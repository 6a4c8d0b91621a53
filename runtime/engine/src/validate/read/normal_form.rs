//! What comes out of a reading: the normal form and the text of the primary key in it.

use super::reading::Reading;
use crate::validate::checked::PrimaryKeyText;
use crate::validate::size::PRIMARY_KEY_BYTES_MAX;
use crate::validate::slot::Slot;
use schema::json::{Scanner, Token};
use std::borrow::Cow;

impl Reading<'_, '_, '_> {
    /// The bytes of the primary key's text; of a short one, no fewer than it has.
    pub(super) fn primary_key_length(&self, index: usize) -> usize {
        match self.slots[index] {
            Slot::Text(piece) => piece.len(),
            Slot::Phone(piece) | Slot::LatLng(piece) | Slot::Raw(piece)
                if piece.len() <= PRIMARY_KEY_BYTES_MAX =>
            {
                piece.len()
            }
            Slot::Phone(_) | Slot::LatLng(_) | Slot::Raw(_) | Slot::Code(_) => {
                let mut json = String::new();
                self.write_slot(self.slots[index], index, &mut json);
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

    /// Writes the normal form into an empty text.
    pub(in crate::validate) fn write_normal_form(&self, out: &mut String) -> PrimaryKeyText {
        let mut primary_key = PrimaryKeyText::None;
        out.push('{');
        for (index, (field, slot)) in self.checker.fields().iter().zip(&self.slots).enumerate() {
            if index > 0 {
                out.push(',');
            }
            out.push_str(&field.key);
            let start = out.len();
            self.write_slot(*slot, index, out);
            if field.primary_key {
                primary_key = self.primary_key(*slot, start, out);
            }
        }
        out.push('}');
        primary_key
    }

    /// Finds the text of the primary key in its JSON, which begins at `start`.
    fn primary_key(&self, slot: Slot, start: usize, out: &str) -> PrimaryKeyText {
        let json = &out[start..];
        match slot {
            Slot::Missing => PrimaryKeyText::None,
            Slot::Text(piece) if self.sources.get(piece).is_empty() => PrimaryKeyText::None,
            _ if json.starts_with('"') && json.contains('\\') => {
                PrimaryKeyText::Own(text_form(json).into_owned())
            }
            _ if json.starts_with('"') => PrimaryKeyText::Part(start + 1..out.len() - 1),
            _ => PrimaryKeyText::Part(start..out.len()),
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
