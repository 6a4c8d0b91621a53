//! The value of one field: a token, or an array of tokens, becomes a slot by way of the field's rule.

use super::reading::{BodyKind, Reading};
use crate::validate::fault::Rule;
use crate::validate::field_rule::FieldRule;
use crate::validate::reject::{Rejected, RejectionCode as C};
use crate::validate::slot::{Held, Piece, Sent, Slot, Source, narrow};
use schema::PlainNumber;
use schema::json::{Scanner, Text, Token};

impl<'t> Reading<'_, 't, '_> {
    /// Reads and judges the value of a field; white space before it is passed.
    #[inline]
    pub(super) fn value(
        &mut self,
        scanner: &mut Scanner<'t>,
        index: usize,
        kind: BodyKind,
    ) -> Result<(), Rejected> {
        let checker = self.checker;
        let field = &checker.fields()[index];
        let start = scanner.offset();
        let offset = (kind != BodyKind::Stored).then(|| narrow(start));
        self.judge.at(narrow(index), None, offset);
        let slot = match scanner.peek() {
            Some(b'"') if field.is_simple() => {
                let text = scanner.string()?;
                if text.escaped || is_blank(text.raw) {
                    self.scalar(Token::String(text), field, kind, start, scanner.offset())
                } else {
                    let piece = piece_of(kind, start + 1, start + 1 + text.raw.len());
                    let read = field.family.read_text(text.raw, piece, &mut self.judge);
                    self.read_or_raw(read, kind, start, scanner.offset())
                }
            }
            Some(b'-' | b'0'..=b'9') if field.is_simple() => {
                if let Some((number, token)) = scanner.take_plain_number() {
                    let read = field.family.read_plain(number, token, &mut self.judge);
                    self.read_or_raw(read, kind, start, scanner.offset())
                } else {
                    self.any_value(scanner, index, kind, start)?
                }
            }
            _ => self.any_value(scanner, index, kind, start)?,
        };
        let sent = if self.judge.as_sent {
            self.sources.place(kind.source(), start, scanner.offset())
        } else {
            Sent::NOWHERE
        };
        let slot = if field.primary_key && self.keeps_key {
            as_stored(slot, piece_of(kind, start, scanner.offset()))
        } else {
            slot
        };
        self.slots[index] = Held { slot, sent };
        Ok(())
    }

    /// What was read of a scalar, or after a fault its text.
    #[inline]
    fn read_or_raw(
        &mut self,
        read: Option<Slot>,
        kind: BodyKind,
        start: usize,
        end: usize,
    ) -> Slot {
        match read {
            Some(slot) => self.resolve(slot),
            None => Slot::Raw(piece_of(kind, start, end)),
        }
    }

    /// A value of any kind in a field of any kind.
    fn any_value(
        &mut self,
        scanner: &mut Scanner<'t>,
        index: usize,
        kind: BodyKind,
        start: usize,
    ) -> Result<Slot, Rejected> {
        let checker = self.checker;
        let field = &checker.fields()[index];
        if field.primary_key {
            self.primary_key_offset = start;
        }
        Ok(match scanner.token()? {
            Token::ArrayStart => self.array(scanner, index, kind, start)?,
            Token::ObjectStart => {
                self.reject(C::NestedValue, start, &field.name);
                scanner.skip_rest(b'}')?;
                Slot::Missing
            }
            token if field.multivalue => {
                self.one_of_many(token, index, kind, start, scanner.offset())
            }
            token => self.scalar(token, field, kind, start, scanner.offset()),
        })
    }

    /// A single value in a single-value field.
    fn scalar(
        &mut self,
        token: Token<'t>,
        field: &FieldRule,
        kind: BodyKind,
        start: usize,
        end: usize,
    ) -> Slot {
        let Some(slot) = self.judge_scalar(token, field, kind, start) else {
            return match token {
                // a primary key is stored trimmed, even if faulty
                Token::String(text) if field.primary_key => {
                    Slot::Text(self.piece(text, kind, start, true))
                }
                _ => Slot::Raw(piece_of(kind, start, end)),
            };
        };
        if matches!(slot, Slot::Missing) {
            if field.required {
                self.judge.fault(Rule::Required);
            }
            if let Token::String(text) = token
                && field.keeps_blank
            {
                return Slot::Text(self.piece(text, kind, start, field.primary_key));
            }
        }
        slot
    }

    /// A scalar as a slot: `Missing` when it counts as no value, `None` after a fault.
    fn judge_scalar(
        &mut self,
        token: Token<'t>,
        field: &FieldRule,
        kind: BodyKind,
        start: usize,
    ) -> Option<Slot> {
        match token {
            Token::Null => Some(self.judge.sent(Slot::Missing, true)),
            Token::ArrayStart | Token::ObjectStart => Some(Slot::Missing),
            Token::Bool(value) => field.family.read_bool(value, &mut self.judge),
            Token::Number(token) => match PlainNumber::at_start_of(token.as_bytes()) {
                Some((number, _)) => field.family.read_plain(number, token, &mut self.judge),
                None => field.family.read_number(token, &mut self.judge),
            },
            Token::String(text) => {
                let piece = self.piece(text, kind, start, field.primary_key);
                let is_whole = !text.escaped && piece.len() == text.raw.len();
                let text = self.sources.get(piece);
                if is_blank(text) {
                    return Some(Slot::Missing);
                }
                let slot = field.family.read_text(text, piece, &mut self.judge)?;
                self.judge.as_sent &= is_whole;
                Some(self.resolve(slot))
            }
        }
    }

    /// The slot, or one for the text that a look-up put in place of what was sent.
    #[inline]
    fn resolve(&mut self, slot: Slot) -> Slot {
        match self.judge.resolved.take() {
            None => slot,
            Some(text) => self.resolved(&text),
        }
    }

    #[cold]
    fn resolved(&mut self, text: &str) -> Slot {
        let start = self.sources.scratch.len();
        self.sources.scratch.push_str(text);
        let end = self.sources.scratch.len();
        self.judge.as_sent = false;
        Slot::Text(Piece {
            source: Source::Scratch,
            start: narrow(start),
            end: narrow(end),
        })
    }

    /// Where the text of a string stands; one with escapes is decoded first.
    #[inline]
    fn piece(&mut self, text: Text<'t>, kind: BodyKind, start: usize, trim: bool) -> Piece {
        let (source, start) = if text.escaped {
            let scratch = &mut self.sources.scratch;
            let start = scratch.len();
            text.decode_into(scratch);
            (Source::Scratch, start)
        } else {
            (kind.source(), start + 1)
        };
        let end = match source {
            Source::Scratch => self.sources.scratch.len(),
            _ => start + text.raw.len(),
        };
        let piece = Piece {
            source,
            start: narrow(start),
            end: narrow(end),
        };
        if !trim || is_trimmed(self.sources.get(piece)) {
            return piece;
        }
        let whole = self.sources.get(piece);
        let head = whole.len() - whole.trim_start().len();
        let kept = whole.trim().len();
        Piece {
            start: piece.start + narrow(head),
            end: piece.start + narrow(head + kept),
            ..piece
        }
    }

    /// A single value in a multivalue field: counts as an array of one.
    fn one_of_many(
        &mut self,
        token: Token<'t>,
        index: usize,
        kind: BodyKind,
        start: usize,
        end: usize,
    ) -> Slot {
        let field = &self.checker.fields()[index];
        let offset = (kind != BodyKind::Stored).then(|| narrow(start));
        self.judge.at(narrow(index), Some(1), offset);
        match self.judge_scalar(token, field, kind, start) {
            None => Slot::RawInArray(piece_of(kind, start, end)),
            Some(Slot::Missing) => {
                let is_null = self.judge.as_sent;
                let slot = self.missing(index, offset);
                self.judge.sent(slot, is_null)
            }
            Some(slot) => {
                let at = self.slots.len();
                self.slots.push(Held::anew(slot));
                self.judge.as_sent = false;
                Slot::List {
                    start: narrow(at),
                    end: narrow(at + 1),
                }
            }
        }
    }

    /// Faults of elements that are missing among others, by position and offset.
    fn elements_missing(&mut self, index: usize, missing: Vec<(u32, Option<u32>)>) {
        for (position, offset) in missing {
            self.judge.at(narrow(index), Some(position), offset);
            self.judge.fault(Rule::ElementMissing);
        }
    }

    /// An array, whose bracket was just read.
    fn array(
        &mut self,
        scanner: &mut Scanner<'t>,
        index: usize,
        kind: BodyKind,
        start: usize,
    ) -> Result<Slot, Rejected> {
        let field = &self.checker.fields()[index];
        let offset = (kind != BodyKind::Stored).then(|| narrow(start));
        let first_element = self.slots.len();
        let faults_before = self.judge.faults.len();
        let mut missing = Vec::new();
        let mut count = 0_u32;
        // the end of what was read while each element was as it is stored, with nothing but a comma between them
        let mut sent_to = start + 1;
        let mut is_sent = true;
        scanner.skip_space();
        let mut open = !scanner.take(b']');
        while open {
            scanner.skip_space();
            count += 1;
            let start = scanner.offset();
            let offset = offset.map(|_| narrow(start));
            match scanner.token()? {
                token @ (Token::ArrayStart | Token::ObjectStart) => {
                    self.reject(C::NestedValue, start, &field.name);
                    let is_array = token == Token::ArrayStart;
                    scanner.skip_rest(if is_array { b']' } else { b'}' })?;
                }
                token if field.multivalue => {
                    self.judge.at(narrow(index), Some(count), offset);
                    match self.judge_scalar(token, field, kind, start) {
                        Some(Slot::Missing) => missing.push((count, offset)),
                        Some(slot) => self.slots.push(Held::anew(slot)),
                        None => {}
                    }
                    is_sent &= self.judge.as_sent && start == sent_to;
                    sent_to = scanner.offset() + 1;
                }
                Token::Null => missing.push((count, offset)),
                Token::String(text) if is_blank(&text.decode()) => missing.push((count, offset)),
                _ => {}
            }
            scanner.skip_space();
            open = !scanner.take(b']');
            if open {
                scanner.expect(b',', "`,` or `]`")?;
            }
        }
        self.judge.as_sent = false;
        if missing.len() == count as usize {
            return Ok(self.missing(index, offset));
        }
        if field.multivalue {
            self.elements_missing(index, missing);
        } else {
            self.judge.at(narrow(index), None, offset);
            self.judge.fault(Rule::Single);
        }
        if self.judge.faults.len() > faults_before {
            self.slots.truncate(first_element);
            return Ok(Slot::Raw(piece_of(kind, start, scanner.offset())));
        }
        self.judge.as_sent = is_sent && sent_to == scanner.offset();
        Ok(Slot::List {
            start: narrow(first_element),
            end: narrow(self.slots.len()),
        })
    }
}

/// The slot of a primary key that is kept as it is stored: another record may have the form of its type.
fn as_stored(slot: Slot, stored: Piece) -> Slot {
    match slot {
        Slot::Absent | Slot::Missing | Slot::Text(_) | Slot::Raw(_) | Slot::RawInArray(_) => slot,
        _ => Slot::Raw(stored),
    }
}

/// What stands between two offsets of what is being read.
#[inline]
fn piece_of(kind: BodyKind, start: usize, end: usize) -> Piece {
    Piece {
        source: kind.source(),
        start: narrow(start),
        end: narrow(end),
    }
}

/// Whether a byte is plainly a character that is not white space, as the first and the last of nearly every text are.
#[inline]
fn is_graphic(byte: u8) -> bool {
    (0x21..0x7F).contains(&byte)
}

/// Whether a text is nothing or white space alone, which is a missing value (docs/rules.md, "Missing values").
#[inline]
pub fn is_blank(text: &str) -> bool {
    !text.bytes().next().is_some_and(is_graphic) && text.chars().all(char::is_whitespace)
}

/// Whether a text plainly has no white space at its ends. It may have none where this says no.
#[inline]
fn is_trimmed(text: &str) -> bool {
    let mut bytes = text.bytes();
    bytes.next().is_some_and(is_graphic) && bytes.next_back().is_none_or(is_graphic)
}
