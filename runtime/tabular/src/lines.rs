//! JSON, a row on each line. Where a line ends is all that is asked here; what stands in it is judged elsewhere.

use crate::found::{Found, ROW_BYTES_MAX, RowFault};
use crate::window::Window;
use std::io;

/// The next line that is not blank.
pub(crate) fn next(window: &mut Window) -> io::Result<Option<Found>> {
    loop {
        let place = window.place();
        let Some((end, is_ended)) = line_end(window)? else {
            return Ok(Some(pass_long(window, place)?));
        };
        let line = &window.held()[..end];
        let pass = end + usize::from(is_ended);
        if !line.trim_ascii().is_empty() {
            let end = line.trim_ascii_end().len();
            return Ok(Some(Found::row(place, end, pass)));
        }
        window.pass(pass);
        if !is_ended {
            return Ok(None);
        }
    }
}

/// Where the line at hand ends, and whether by a line's end; `None` where it is too long to be held.
fn line_end(window: &mut Window) -> io::Result<Option<(usize, bool)>> {
    let mut seen = 0;
    loop {
        let held = window.held();
        if let Some(at) = memchr::memchr(b'\n', &held[seen..]) {
            let end = seen + at;
            return Ok((end <= ROW_BYTES_MAX).then_some((end, true)));
        }
        seen = held.len();
        if seen > ROW_BYTES_MAX {
            return Ok(None);
        }
        if !window.more()? {
            return Ok(Some((seen, false)));
        }
    }
}

/// Leaves a line that is too long.
fn pass_long(window: &mut Window, place: crate::Place) -> io::Result<Found> {
    window.pass_while(|byte| byte != b'\n')?;
    Ok(Found::fault(place, 0, RowFault::TooLong, place))
}
