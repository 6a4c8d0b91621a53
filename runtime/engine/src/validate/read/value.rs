//! The value of one field: a token, or an array of tokens, becomes a slot by way of the field's rule.

use super::reading::{BodyKind, Reading};
use crate::validate::fault::Rule;
use crate::validate::field_rule::FieldRule;
use crate::validate::reject::{Rejected, RejectionCode as C};
use crate::validate::rule::Scalar;
use crate::validate::slot::{Piece, Slot, Source, narrow};
use schema::json::{Scanner, Text, Token};

impl<'t> Reading<'_, 't, '_> {
    /// Reads and judges the value of a field.
    #[inline]
    pub(super) fn value(
        &mut self,
        scanner: &mut Scanner<'t>,
        index: usize,
        kind: BodyKind,
    ) -> Result<(), Rejected> {
        let field = &self.checker.fields()[index];
        let start = scanner.offset();
        let offset = (kind != BodyKind::Stored).then(|| narrow(start));
        self.judge.at(narrow(index), None, offset);
        if field.primary_key {
            self.primary_key_offset = start;
        }
        let slot = match scanner.token()? {
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
        };
        self.slots[index] = slot;
        Ok(())
    }

    /// A single value in a single-value field.
    #[inline]
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
                _ => Slot::Raw(Piece {
                    source: kind.source(),
                    start: narrow(start),
                    end: narrow(end),
                }),
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
    #[inline]
    fn judge_scalar(
        &mut self,
        token: Token<'t>,
        field: &FieldRule,
        kind: BodyKind,
        start: usize,
    ) -> Option<Slot> {
        let scalar = match token {
            Token::Null | Token::ArrayStart | Token::ObjectStart => return Some(Slot::Missing),
            Token::Bool(value) => Scalar::Bool(value),
            Token::Number(number) => Scalar::Number(number),
            Token::String(text) => {
                if text.escaped || field.primary_key {
                    let piece = self.piece(text, kind, start, field.primary_key);
                    let text = self.sources.get(piece);
                    if is_blank(text) {
                        return Some(Slot::Missing);
                    }
                    let slot = field
                        .family
                        .read(Scalar::Text(text, piece), &mut self.judge)?;
                    return Some(self.resolve(slot));
                }
                if is_blank(text.raw) {
                    return Some(Slot::Missing);
                }
                let piece = Piece {
                    source: kind.source(),
                    start: narrow(start + 1),
                    end: narrow(start + 1 + text.raw.len()),
                };
                let slot = field
                    .family
                    .read(Scalar::Text(text.raw, piece), &mut self.judge)?;
                return Some(self.resolve(slot));
            }
        };
        field.family.read(scalar, &mut self.judge)
    }

    /// A slot for the text that a look-up put in place of what was sent.
    fn resolve(&mut self, slot: Slot) -> Slot {
        if self.judge.resolved.is_none() {
            return slot;
        }
        match self.judge.resolved.take() {
            None => slot,
            Some(text) => {
                let start = self.sources.scratch.len();
                self.sources.scratch.push_str(&text);
                let end = self.sources.scratch.len();
                Slot::Text(Piece {
                    source: Source::Scratch,
                    start: narrow(start),
                    end: narrow(end),
                })
            }
        }
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
        if !trim {
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
            None => Slot::RawInArray(Piece {
                source: kind.source(),
                start: narrow(start),
                end: narrow(end),
            }),
            Some(Slot::Missing) => self.missing(index, offset),
            Some(slot) => {
                let at = self.elements.len();
                self.elements.push(slot);
                Slot::List {
                    start: narrow(at),
                    end: narrow(at + 1),
                }
            }
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
        let first_element = self.elements.len();
        let faults_before = self.judge.faults.len();
        let mut missing = Vec::new();
        let mut count = 0_u32;
        scanner.skip_space();
        let mut open = !scanner.take(b']');
        while open {
            scanner.skip_space();
            count += 1;
            let start = scanner.offset();
            let offset = offset.map(|_| narrow(start));
            match scanner.token()? {
                Token::ArrayStart => {
                    self.reject(C::NestedValue, start, &field.name);
                    scanner.skip_rest(b']')?;
                }
                Token::ObjectStart => {
                    self.reject(C::NestedValue, start, &field.name);
                    scanner.skip_rest(b'}')?;
                }
                token if field.multivalue => {
                    self.judge.at(narrow(index), Some(count), offset);
                    match self.judge_scalar(token, field, kind, start) {
                        Some(Slot::Missing) => missing.push((count, offset)),
                        Some(slot) => self.elements.push(slot),
                        None => {}
                    }
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
        if missing.len() == count as usize {
            return Ok(self.missing(index, offset));
        }
        if field.multivalue {
            for (position, offset) in missing {
                self.judge.at(narrow(index), Some(position), offset);
                self.judge.fault(Rule::ElementMissing);
            }
        } else {
            self.judge.at(narrow(index), None, offset);
            self.judge.fault(Rule::Single);
        }
        if self.judge.faults.len() > faults_before {
            self.elements.truncate(first_element);
            let end = scanner.offset();
            return Ok(Slot::Raw(Piece {
                source: kind.source(),
                start: narrow(start),
                end: narrow(end),
            }));
        }
        Ok(Slot::List {
            start: narrow(first_element),
            end: narrow(self.elements.len()),
        })
    }
}

#[inline]
fn is_blank(text: &str) -> bool {
    // nearly every text begins with something that is plainly not white space
    !text
        .as_bytes()
        .first()
        .is_some_and(|byte| (0x21..0x7F).contains(byte))
        && text.chars().all(char::is_whitespace)
}
