//! The frame of a body: one flat object, its keys, and what is refused about them.

use super::reading::{BodyKind, Reading};
use super::system::SystemProperty;
use crate::validate::checker::FieldRef;
use crate::validate::reject::{Rejected, RejectionCode as C};
use schema::json::{Scanner, Text, Token};

impl<'t> Reading<'_, 't, '_> {
    pub(in crate::validate) fn object(&mut self, kind: BodyKind) -> Result<(), Rejected> {
        let text = if kind == BodyKind::Stored {
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

    fn members(&mut self, scanner: &mut Scanner<'t>, kind: BodyKind) -> Result<(), Rejected> {
        let mut expected = 0;
        loop {
            scanner.skip_space();
            let key_start = scanner.offset();
            if let Some(field) = self.checker.fields().get(expected)
                && self.slots[expected].is_absent()
                && scanner.take_text(field.key())
            {
                scanner.skip_space();
                self.value(scanner, expected, kind)?;
                expected = self.members_in_order(scanner, expected + 1, kind)?;
                scanner.skip_space();
                if scanner.take(b',') {
                    continue;
                }
                if scanner.take(b'}') {
                    return Ok(());
                }
                return Err(scanner.unexpected("`,` or `}`").into());
            }
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

    /// Reads the members that come in order, with nothing but a comma between the value before and the key. Yields the
    /// index of the field expected next.
    #[inline]
    fn members_in_order(
        &mut self,
        scanner: &mut Scanner<'t>,
        mut expected: usize,
        kind: BodyKind,
    ) -> Result<usize, Rejected> {
        let checker = self.checker;
        self.in_order.start = expected;
        while let Some(field) = checker.fields().get(expected)
            && self.slots[expected].is_absent()
            && scanner.take_text(&field.member)
        {
            let key_end = scanner.offset();
            scanner.skip_space();
            if scanner.offset() > key_end {
                self.in_order.start = expected + 1;
            }
            self.value(scanner, expected, kind)?;
            expected += 1;
        }
        self.in_order.end = expected;
        Ok(expected)
    }

    /// Reads one member's value; yields the index of the field expected next.
    #[inline]
    fn member(
        &mut self,
        scanner: &mut Scanner<'t>,
        key: Text<'t>,
        key_start: usize,
        expected: usize,
        kind: BodyKind,
    ) -> Result<usize, Rejected> {
        let decoded = key.decode();
        match self.checker.find(&decoded, expected) {
            Some(FieldRef::Active(index)) => {
                if kind == BodyKind::Stored && !self.slots[index].is_absent() {
                    scanner.skip_value()?;
                } else if self.slots[index].is_absent() {
                    self.value(scanner, index, kind)?;
                } else {
                    self.reject(C::DuplicateKey, key_start, &decoded);
                    self.skip(scanner, &decoded)?;
                }
                return Ok(index + 1);
            }
            Some(FieldRef::Inactive) => self.reject(C::InactiveField, key_start, &decoded),
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

    /// A key that begins with `_`: the client's to send only in a change, and only the three.
    #[cold]
    fn system(
        &mut self,
        scanner: &mut Scanner<'t>,
        key: &str,
        key_start: usize,
        kind: BodyKind,
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
        if kind != BodyKind::Change {
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
}
