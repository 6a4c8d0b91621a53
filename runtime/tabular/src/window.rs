//! The part of a text that is at hand: from the row being read to as far as was needed to find its end. It knows
//! nothing of rows.

use crate::place::Place;
use crate::unpack::Source;
use std::io;

const CHUNK_BYTES: usize = 128 << 10;

/// A view on a text that only moves forward.
pub(crate) struct Window {
    source: Source,
    bytes: Vec<u8>,
    start: usize,
    end: usize,
    ended: bool,
    place: Place,
}

impl Window {
    pub(crate) fn new(source: Source) -> Self {
        Window {
            source,
            bytes: Vec::new(),
            start: 0,
            end: 0,
            ended: false,
            place: Place::start(),
        }
    }

    /// What is at hand.
    pub(crate) fn held(&self) -> &[u8] {
        &self.bytes[self.start..self.end]
    }

    /// Where what is at hand begins.
    pub(crate) fn place(&self) -> Place {
        self.place
    }

    /// Takes more of the text to what is at hand; `false` at its end.
    pub(crate) fn more(&mut self) -> io::Result<bool> {
        if self.ended {
            return Ok(false);
        }
        if self.start > 0 {
            self.bytes.copy_within(self.start..self.end, 0);
            self.end -= self.start;
            self.start = 0;
        }
        if self.end == self.bytes.len() {
            self.bytes.resize((self.end * 2).max(CHUNK_BYTES), 0);
        }
        loop {
            match self.source.read(&mut self.bytes[self.end..]) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
                Ok(count) => {
                    self.end += count;
                    self.ended = count == 0;
                    return Ok(count > 0);
                }
            }
        }
    }

    /// Takes at least `count` bytes to hand, where there are as many.
    pub(crate) fn hold(&mut self, count: usize) -> io::Result<()> {
        while self.held().len() < count && self.more()? {}
        Ok(())
    }

    /// Leaves the first `count` bytes of what is at hand.
    pub(crate) fn pass(&mut self, count: usize) {
        self.place = self.place.after(&self.held()[..count]);
        self.start += count;
    }

    /// Leaves the bytes at the beginning for which `is_passed` holds; `false` at the end of the text.
    pub(crate) fn pass_while(&mut self, is_passed: impl Fn(u8) -> bool) -> io::Result<bool> {
        loop {
            let held = self.held();
            let count = held.iter().position(|byte| !is_passed(*byte));
            match count {
                Some(count) => {
                    self.pass(count);
                    return Ok(true);
                }
                None => self.pass(held.len()),
            }
            if !self.more()? {
                return Ok(false);
            }
        }
    }
}
