//! JSON, all rows in one array: its elements one by one, found by their brackets. An element need not be JSON; that
//! is judged elsewhere.

use crate::found::{Found, ROW_BYTES_MAX, RowFault};
use crate::place::Place;
use crate::window::Window;
use std::io;

/// How far an array is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Array {
    /// Its bracket comes next.
    Before,
    /// An element comes next, or the end of an array that is empty.
    First,
    /// A comma comes next, or the end.
    Behind,
    /// Nothing is to come.
    Closed,
    /// What is to come can't be told apart any more.
    Lost,
}

impl Array {
    /// The next element.
    pub(crate) fn next(&mut self, window: &mut Window) -> io::Result<Option<Found>> {
        if *self == Array::Lost {
            window.pass_while(|_| true)?;
            return Ok(None);
        }
        if *self == Array::Before && window.pass_while(is_space)? {
            if window.held()[0] != b'[' {
                *self = Array::Closed;
                let place = window.place();
                window.pass_while(|_| true)?;
                return Ok(Some(Found::fault(place, 0, RowFault::NoArray, place)));
            }
            window.pass(1);
            *self = Array::First;
        }
        if !window.pass_while(is_space)? {
            return Ok(self.ended(window.place()));
        }
        let next = window.held()[0];
        let place = window.place();
        match (*self, next) {
            (Array::Closed, _) => {
                window.pass_while(|_| true)?;
                return Ok(Some(Found::fault(place, 0, RowFault::BehindArray, place)));
            }
            (_, b']') => {
                window.pass(1);
                *self = Array::Closed;
                return self.next(window);
            }
            (Array::Behind, b',') => {
                window.pass(1);
                if !window.pass_while(is_space)? {
                    return Ok(self.ended(window.place()));
                }
            }
            _ => {}
        }
        *self = Array::Behind;
        let place = window.place();
        match element_end(window)? {
            Some(0) => {
                let pass = usize::from(window.held().first() == Some(&b','));
                Ok(Some(
                    Found::fault(place, 0, RowFault::NoElement, place).passing(pass),
                ))
            }
            Some(pass) => {
                let end = window.held()[..pass].trim_ascii_end().len();
                Ok(Some(Found::row(place, end, pass)))
            }
            None => Ok(Some(self.resume(window, place))),
        }
    }

    /// The text has ended: well, or within the array.
    fn ended(&mut self, place: Place) -> Option<Found> {
        let was = std::mem::replace(self, Array::Closed);
        (was != Array::Closed).then(|| Found::fault(place, 0, RowFault::OpenArray, place))
    }

    /// An element has no end: reading goes on at the first line behind its first that begins with an object.
    fn resume(&mut self, window: &Window, place: Place) -> Found {
        let held = window.held();
        // what lies beyond is at hand or not, as the source pleased
        let held = &held[..held.len().min(ROW_BYTES_MAX)];
        let next = memchr::memchr_iter(b'\n', held).find_map(|at| {
            let rest = &held[at + 1..];
            let space = rest.len() - rest.trim_ascii_start().len();
            (rest.get(space) == Some(&b'{')).then_some(at + 1 + space)
        });
        *self = if next.is_some() {
            Array::First
        } else {
            Array::Lost
        };
        let pass = next.unwrap_or(held.len());
        Found::fault(place, pass, RowFault::OpenElement, place).passing(pass)
    }
}

fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r')
}

/// Where the element at hand ends, which is before a comma or the array's bracket, or, where the text ends without either,
/// behind its own brace; `None` where it does not.
fn element_end(window: &mut Window) -> io::Result<Option<usize>> {
    let (mut at, mut depth, mut in_string) = (0, 0_usize, false);
    let mut closed = None;
    loop {
        while let Some(byte) = window.held().get(at) {
            if at > ROW_BYTES_MAX {
                return Ok(None);
            }
            match byte {
                b'\\' if in_string => at += 1,
                b'"' => in_string = !in_string,
                _ if in_string => {}
                b'[' | b'{' => depth += 1,
                b',' | b']' if depth == 0 => return Ok(Some(at)),
                // a brace that closes nothing is a mistake of the element, and no end of it
                b']' | b'}' => {
                    if *byte == b'}' && depth == 1 && closed.is_none() {
                        closed = Some(at + 1);
                    }
                    depth = depth.saturating_sub(1);
                }
                _ => {}
            }
            at += 1;
        }
        if !window.more()? {
            let held = window.held();
            let is_last = |end: &usize| held[*end..].iter().all(|byte| is_space(*byte));
            return Ok(closed.filter(is_last));
        }
    }
}
