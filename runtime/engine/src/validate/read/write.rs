//! The stored form of a slot that was read.

use super::reading::Reading;
use crate::validate::rule::{Family, write_float, write_integer, write_short_money};
use crate::validate::slot::{Piece, Slot, Source};
use crate::value::{write_latlng, write_phone};
use schema::Hundredths;
use schema::json::{compact, write_string};

impl Reading<'_, '_, '_> {
    /// Appends one slot as JSON.
    #[inline]
    pub(super) fn write_slot(&self, slot: Slot, index: usize, out: &mut String) {
        match slot {
            Slot::Absent | Slot::Missing => out.push_str("null"),
            Slot::Text(piece) => self.write_text(piece, out),
            Slot::Integer(value) => write_integer(value, out),
            Slot::Float(value) => write_float(value, out),
            Slot::Bool(value) => out.push_str(if value { "true" } else { "false" }),
            Slot::Money(halves) => {
                let hundredths = Slot::money_of(halves);
                if !write_short_money(hundredths, out)
                    && let Some(amount) = Hundredths::new(hundredths)
                {
                    amount.write(out);
                }
            }
            Slot::Code(code) => {
                if let Family::StaticPicklist(picklist) = &self.checker.fields()[index].family {
                    write_string(out, picklist.code(code));
                }
            }
            Slot::Day(_) | Slot::Time(_) | Slot::Moment(_) => {
                self.write_temporal(slot, index, out);
            }
            Slot::Phone(piece) => {
                out.push('"');
                write_phone(out, self.sources.get(piece));
                out.push('"');
            }
            Slot::LatLng(piece) => {
                out.push('"');
                write_latlng(out, self.sources.get(piece));
                out.push('"');
            }
            Slot::List { start, end } => {
                out.push('[');
                for (at, element) in self.slots[start as usize..end as usize].iter().enumerate() {
                    if at > 0 {
                        out.push(',');
                    }
                    self.write_slot(element.slot, index, out);
                }
                out.push(']');
            }
            Slot::Raw(piece) => compact(out, self.sources.get(piece)),
            Slot::RawInArray(piece) => {
                out.push('[');
                compact(out, self.sources.get(piece));
                out.push(']');
            }
        }
    }

    #[inline]
    fn write_text(&self, piece: Piece, out: &mut String) {
        let text = self.sources.get(piece);
        if piece.source == Source::Scratch {
            write_string(out, text);
        } else {
            // it stood between quotes without an escape, so it can again
            out.push('"');
            out.push_str(text);
            out.push('"');
        }
    }

    fn write_temporal(&self, slot: Slot, index: usize, out: &mut String) {
        out.push('"');
        match (slot, &self.checker.fields()[index].family) {
            (Slot::Day(day), Family::Date(rule)) => rule.shape.write(day, out),
            (Slot::Time(time), Family::Time(rule)) => rule.format.write(time, out),
            (Slot::Moment(moment), Family::DateTime(rule)) => rule.shape.write(moment, out),
            // INVARIANT: a slot was read by its own field's family
            _ => {}
        }
        out.push('"');
    }
}
