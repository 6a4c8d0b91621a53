//! Reads a body once, from bytes to judged slots. Nothing is converted twice and nothing is dropped:
//! what the schema has no place for is a rejection.

use super::checked::PrimaryKeyText;
use super::checker::Known;
use super::judge::Sent;
use super::merge::{System, SystemProperty};
use super::reject::RejectionCode as C;
use super::slot::{Piece, Slot, Source, Sources, narrow};
use super::{
    BODY_BYTES_MAX, Checked, Checker, FieldRule, Judge, Lookups, PRIMARY_KEY_BYTES_MAX, Rejected,
    Rejection, Rule, Verdict,
};
use schema::json::{Scanner, Text, Token};
use std::borrow::Cow;

/// What kind of object is being read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// The body of a new record.
    Create,
    /// The body of an update.
    Change,
    /// The stored record that an update changes: fills what the change left out.
    Stored,
}

/// One record while it is read.
pub(crate) struct Reading<'c, 't, 'l> {
    pub(crate) checker: &'c Checker,
    pub(crate) sources: Sources<'t>,
    pub(crate) slots: Vec<Slot>,
    pub(crate) elements: Vec<Slot>,
    pub(super) system: System,
    judge: Judge<'l>,
    rejections: Vec<Rejection>,
    primary_key_offset: usize,
}

impl<'c, 't, 'l> Reading<'c, 't, 'l> {
    /// Reads the body of a new record and judges it.
    pub(crate) fn of_body(
        checker: &'c Checker,
        body: &'t [u8],
        lookups: Option<&'l dyn Lookups>,
    ) -> Result<Self, Rejected> {
        let mut reading = Reading::new(checker, body, lookups)?;
        reading.object(Kind::Create)?;
        reading.finish()?;
        Ok(reading)
    }

    pub(super) fn new(
        checker: &'c Checker,
        body: &'t [u8],
        lookups: Option<&'l dyn Lookups>,
    ) -> Result<Self, Rejected> {
        let sources = Sources {
            body: text_of(body)?,
            stored: "",
            scratch: String::new(),
        };
        Ok(Reading {
            checker,
            sources,
            slots: vec![Slot::Absent; checker.fields().len()],
            elements: Vec::new(),
            system: System::default(),
            judge: Judge::new(lookups),
            rejections: Vec::new(),
            primary_key_offset: 0,
        })
    }

    pub(super) fn object(&mut self, kind: Kind) -> Result<(), Rejected> {
        let text = if kind == Kind::Stored {
            self.sources.stored
        } else {
            self.sources.body
        };
        let mut scanner = Scanner::new(text);
        scanner.skip_space();
        if !scanner.take(b'{') {
            let start = scanner.offset();
            // a whole other value is well-formed JSON, but no record
            scanner.token()?;
            return Err(Rejected::one(C::NotAnObject, start));
        }
        scanner.skip_space();
        if !scanner.take(b'}') {
            self.members(&mut scanner, kind)?;
        }
        scanner.skip_space();
        match scanner.peek() {
            None => Ok(()),
            Some(0) => Err(Rejected::one(C::Nul, scanner.offset())),
            Some(_) => Err(Rejected::one(C::Trailing, scanner.offset())),
        }
    }

    fn members(&mut self, scanner: &mut Scanner<'t>, kind: Kind) -> Result<(), Rejected> {
        let mut expected = 0;
        loop {
            scanner.skip_space();
            let key_start = scanner.offset();
            if scanner.peek() != Some(b'"') {
                return Err(scanner.unexpected("a key").into());
            }
            let key = scanner.string()?;
            scanner.skip_space();
            scanner.expect(b':', "`:`")?;
            scanner.skip_space();
            expected = self.member(scanner, key, key_start, expected, kind)?;
            scanner.skip_space();
            if scanner.take(b'}') {
                return Ok(());
            }
            scanner.expect(b',', "`,` or `}`")?;
        }
    }

    /// Reads one member's value; yields the index of the field expected next.
    #[inline]
    fn member(
        &mut self,
        scanner: &mut Scanner<'t>,
        key: Text<'t>,
        key_start: usize,
        expected: usize,
        kind: Kind,
    ) -> Result<usize, Rejected> {
        let decoded = key.decode();
        match self.checker.find(&decoded, expected) {
            Some(Known::Active(index)) => {
                if kind == Kind::Stored && self.slots[index] != Slot::Absent {
                    scanner.skip_value()?;
                } else if self.slots[index] == Slot::Absent {
                    self.slots[index] = self.value(scanner, index, kind)?;
                } else {
                    self.reject(C::DuplicateKey, key_start, &decoded);
                    self.skip(scanner, &decoded)?;
                }
                return Ok(index + 1);
            }
            Some(Known::Inactive) => self.reject(C::InactiveField, key_start, &decoded),
            None if decoded.starts_with('_') => {
                return self
                    .system(scanner, &decoded, key_start, kind)
                    .map(|()| expected);
            }
            None => self.reject(C::UnknownKey, key_start, &decoded),
        }
        self.skip(scanner, &decoded)?;
        Ok(expected)
    }

    /// Passes the value of a key that is refused, and refuses what is nested in it.
    #[cold]
    fn skip(&mut self, scanner: &mut Scanner<'t>, name: &str) -> Result<(), Rejected> {
        let start = scanner.offset();
        match scanner.token()? {
            Token::ObjectStart => {
                self.reject(C::NestedValue, start, name);
                scanner.skip_rest(b'}')?;
            }
            Token::ArrayStart => {
                scanner.skip_space();
                let mut open = !scanner.take(b']');
                while open {
                    scanner.skip_space();
                    let start = scanner.offset();
                    if let Some(b'[' | b'{') = scanner.peek() {
                        self.reject(C::NestedValue, start, name);
                    }
                    scanner.skip_value()?;
                    scanner.skip_space();
                    open = !scanner.take(b']');
                    if open {
                        scanner.expect(b',', "`,` or `]`")?;
                    }
                }
            }
            _ => {}
        }
        Ok(())
    }

    #[cold]
    fn reject(&mut self, code: C, offset: usize, name: &str) {
        self.rejections.push(Rejection {
            code,
            offset,
            name: Some(name.to_owned()),
        });
    }

    /// A key that begins with `_`: the client's to send only in a change, and only the three.
    #[cold]
    fn system(
        &mut self,
        scanner: &mut Scanner<'t>,
        key: &str,
        key_start: usize,
        kind: Kind,
    ) -> Result<(), Rejected> {
        let start = scanner.offset();
        scanner.skip_value()?;
        let place = match key {
            "_version" => &mut self.system.version,
            "_dataObjectId" => &mut self.system.data_object_id,
            "_errors" => &mut self.system.errors,
            _ => {
                self.reject(C::SystemProperty, key_start, key);
                return Ok(());
            }
        };
        if kind != Kind::Change {
            self.reject(C::SystemProperty, key_start, key);
        } else if place.is_some() {
            self.reject(C::DuplicateKey, key_start, key);
        } else {
            let json = scanner.slice(start, scanner.offset()).to_owned();
            *place = Some(SystemProperty {
                json,
                offset: start,
            });
        }
        Ok(())
    }

    /// Reads and judges the value of a field.
    #[inline]
    fn value(
        &mut self,
        scanner: &mut Scanner<'t>,
        index: usize,
        kind: Kind,
    ) -> Result<Slot, Rejected> {
        let field = &self.checker.fields()[index];
        let start = scanner.offset();
        let offset = (kind != Kind::Stored).then(|| narrow(start));
        self.judge.at(narrow(index), None, offset);
        if field.primary_key {
            self.primary_key_offset = start;
        }
        match scanner.token()? {
            Token::ArrayStart => self.array(scanner, index, kind, start),
            Token::ObjectStart => {
                self.reject(C::NestedValue, start, &field.name);
                scanner.skip_rest(b'}')?;
                Ok(Slot::Missing)
            }
            token if field.multivalue => {
                Ok(self.one_of_many(token, index, kind, start, scanner.offset()))
            }
            token => Ok(self.scalar(token, field, kind, start, scanner.offset())),
        }
    }

    /// A single value in a single-value field.
    #[inline]
    fn scalar(
        &mut self,
        token: Token<'t>,
        field: &FieldRule,
        kind: Kind,
        start: usize,
        end: usize,
    ) -> Slot {
        let Some(slot) = self.judged(token, field, kind, start) else {
            return match token {
                // a primary key is stored trimmed, even if faulty
                Token::String(text) if field.primary_key => {
                    Slot::Text(self.piece(text, kind, start, true))
                }
                _ => Slot::Sent(Piece {
                    source: source(kind),
                    start: narrow(start),
                    end: narrow(end),
                }),
            };
        };
        if slot == Slot::Missing {
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
    fn judged(
        &mut self,
        token: Token<'t>,
        field: &FieldRule,
        kind: Kind,
        start: usize,
    ) -> Option<Slot> {
        let sent = match token {
            Token::Null | Token::ArrayStart | Token::ObjectStart => return Some(Slot::Missing),
            Token::Bool(value) => Sent::Bool(value),
            Token::Number(number) => Sent::Number(number),
            Token::String(text) => {
                let piece = self.piece(text, kind, start, field.primary_key);
                let text = self.sources.get(piece);
                if is_blank(text) {
                    return Some(Slot::Missing);
                }
                let slot = field
                    .family
                    .read(Sent::Text(text, piece), &mut self.judge)?;
                return Some(self.resolved(slot));
            }
        };
        field.family.read(sent, &mut self.judge)
    }

    /// A slot for the text that a look-up put in place of what was sent.
    fn resolved(&mut self, slot: Slot) -> Slot {
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
    fn piece(&mut self, text: Text<'t>, kind: Kind, start: usize, trim: bool) -> Piece {
        let (source, start) = if text.escaped {
            let scratch = &mut self.sources.scratch;
            let start = scratch.len();
            text.decode_into(scratch);
            (Source::Scratch, start)
        } else {
            (source(kind), start + 1)
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
        kind: Kind,
        start: usize,
        end: usize,
    ) -> Slot {
        let field = &self.checker.fields()[index];
        let offset = (kind != Kind::Stored).then(|| narrow(start));
        self.judge.at(narrow(index), Some(1), offset);
        match self.judged(token, field, kind, start) {
            None => Slot::SentOne(Piece {
                source: source(kind),
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

    fn missing(&mut self, index: usize, offset: Option<u32>) -> Slot {
        if self.checker.fields()[index].required {
            self.judge.at(narrow(index), None, offset);
            self.judge.fault(Rule::Required);
        }
        Slot::Missing
    }

    /// An array, whose bracket was just read.
    fn array(
        &mut self,
        scanner: &mut Scanner<'t>,
        index: usize,
        kind: Kind,
        start: usize,
    ) -> Result<Slot, Rejected> {
        let field = &self.checker.fields()[index];
        let offset = (kind != Kind::Stored).then(|| narrow(start));
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
                    match self.judged(token, field, kind, start) {
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
            return Ok(Slot::Sent(Piece {
                source: source(kind),
                start: narrow(start),
                end: narrow(end),
            }));
        }
        Ok(Slot::List {
            start: narrow(first_element),
            end: narrow(self.elements.len()),
        })
    }

    /// Judges what is absent, and refuses what was collected.
    pub(super) fn finish(&mut self) -> Result<(), Rejected> {
        for index in 0..self.slots.len() {
            if self.slots[index] == Slot::Absent {
                self.slots[index] = self.missing(index, None);
            }
        }
        if let Some(index) = self.checker.primary_key_index()
            && self.primary_key_length(index) > PRIMARY_KEY_BYTES_MAX
        {
            let name = self.checker.fields()[index].name.clone();
            self.reject(C::PrimaryKeyTooLong, self.primary_key_offset, &name);
        }
        self.refuse()
    }

    /// Refuses what was collected so far.
    pub(super) fn refuse(&mut self) -> Result<(), Rejected> {
        if self.rejections.is_empty() {
            Ok(())
        } else {
            Err(Rejected::all(std::mem::take(&mut self.rejections)))
        }
    }

    /// The bytes of the primary key's text; of a short one, no fewer than it has.
    fn primary_key_length(&self, index: usize) -> usize {
        match self.slots[index] {
            Slot::Text(piece) => piece.len(),
            Slot::Phone(piece) | Slot::LatLng(piece) | Slot::Sent(piece)
                if piece.len() <= PRIMARY_KEY_BYTES_MAX =>
            {
                piece.len()
            }
            Slot::Phone(_) | Slot::LatLng(_) | Slot::Sent(_) | Slot::Code(_) => {
                let mut json = String::new();
                self.write_slot(self.slots[index], index, &mut json);
                text_form(&json).len()
            }
            _ => 0,
        }
    }

    pub(crate) fn is_clean(&self) -> bool {
        self.judge.faults.is_empty()
    }

    /// Writes the normal form.
    pub(crate) fn into_checked(self) -> Checked {
        let (normal_form, primary_key) = self.normal_form();
        Checked::new(
            normal_form,
            primary_key,
            Verdict::new(self.checker, self.judge),
        )
    }

    fn normal_form(&self) -> (String, PrimaryKeyText) {
        let mut out = String::with_capacity(
            self.checker.frame_bytes() + self.sources.body.len() + self.sources.stored.len(),
        );
        let mut primary_key = PrimaryKeyText::None;
        out.push('{');
        for (index, (field, slot)) in self.checker.fields().iter().zip(&self.slots).enumerate() {
            if index > 0 {
                out.push(',');
            }
            out.push_str(&field.key);
            let start = out.len();
            self.write_slot(*slot, index, &mut out);
            if field.primary_key {
                primary_key = self.primary_key(*slot, start, &out);
            }
        }
        out.push('}');
        (out, primary_key)
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
pub(crate) fn text_form(json: &str) -> Cow<'_, str> {
    match Scanner::new(json).token() {
        Ok(Token::String(text)) => text.decode(),
        _ => json.into(),
    }
}

#[inline]
fn source(kind: Kind) -> Source {
    if kind == Kind::Stored {
        Source::Stored
    } else {
        Source::Body
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
