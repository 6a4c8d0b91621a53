//! The write-ahead log as a file, by SQLite's description of its format: a header, then frames, each a header and a
//! page. Sums over frames are not compared: a frame that was not written whole makes the log longer than it is,
//! and no sound one is refused for it.

use super::CommitMark;
use std::fs::File;
use std::io::{self, BufReader, ErrorKind, Read as _};
use std::path::Path;

const HEADER_BYTES: usize = 32;
const FRAME_HEADER_BYTES: usize = 24;
/// The header's first bytes, but for the last bit.
const MAGIC: u32 = 0x377f_0682;
const PAGE_BYTES_MAX: u32 = 65_536;
/// How many logs may begin while a file is read.
const NEWER_MAX: u32 = 1_000_000;

/// What there is of a log.
pub(super) enum Found {
    /// No file, or one of no bytes.
    Nothing,
    /// A file that is none.
    NoLog,
    /// The beginning of one, and behind it what belongs to a newer one.
    Overwritten,
    /// A log with no mark in it: no commit is ours since it began.
    NoMark {
        /// How many logs began in place of one before since the file was made.
        restarts: u32,
        /// Its first salt.
        salt: u32,
        /// Whether another program committed something.
        has_commit: bool,
    },
    /// The first mark in it, and the last.
    Marks { first: CommitMark, last: CommitMark },
}

/// The marks of a log, which stand on one page of the database.
pub(super) fn marks(path: &Path, page: u32) -> io::Result<Found> {
    let file = match File::open(path) {
        Ok(file) if file.metadata()?.len() > 0 => file,
        Ok(_) => return Ok(Found::Nothing),
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Found::Nothing),
        Err(error) => return Err(error),
    };
    let mut log = BufReader::new(file);
    let mut header = [0; HEADER_BYTES];
    let page_bytes = match log.read_exact(&mut header) {
        Ok(()) => number(&header, 8),
        Err(error) if error.kind() == ErrorKind::UnexpectedEof => return Ok(Found::NoLog),
        Err(error) => return Err(error),
    };
    if number(&header, 0) & !1 != MAGIC || !(512..=PAGE_BYTES_MAX).contains(&page_bytes) {
        return Ok(Found::NoLog);
    }
    let (mut first, mut last, mut has_commit) = (None, None, false);
    let mut content = vec![0; page_bytes as usize];
    let mut frame = [0; FRAME_HEADER_BYTES];
    while is_read(log.read_exact(&mut frame))? && frame[8..16] == header[16..24] {
        // a frame that ends a transaction tells how long the database is by then
        has_commit |= number(&frame, 4) != 0;
        if number(&frame, 0) != page {
            log.seek_relative(page_bytes.into())?;
            continue;
        }
        if !is_read(log.read_exact(&mut content))? {
            break;
        }
        last = CommitMark::in_page(&content).or(last);
        first = first.or(last);
    }
    if goes_on_newer(&mut log, frame, &header, page_bytes)? {
        return Ok(Found::Overwritten);
    }
    Ok(match first.zip(last) {
        Some((first, last)) => Found::Marks { first, last },
        None => Found::NoMark {
            restarts: number(&header, 12),
            salt: number(&header, 16),
            has_commit,
        },
    })
}

/// The first salt of a log, if one can be read.
pub(super) fn salt(path: &Path) -> Option<u32> {
    let mut header = [0; HEADER_BYTES];
    let mut log = File::open(path).ok()?;
    log.read_exact(&mut header).ok()?;
    Some(number(&header, 16))
}

/// Whether behind a log's own frames, from this one on, there are some of a newer log. Those of older ones may be
/// there; a newer one writes its header first, and has it on disk before any frame, so its frames behind an older
/// header were read at another moment. A log's first salt is that of the log before it, and one.
fn goes_on_newer(
    log: &mut BufReader<File>,
    mut frame: [u8; FRAME_HEADER_BYTES],
    header: &[u8; HEADER_BYTES],
    page_bytes: u32,
) -> io::Result<bool> {
    let own = number(header, 16);
    loop {
        let ahead = number(&frame, 8).wrapping_sub(own);
        if (1..=NEWER_MAX).contains(&ahead) {
            return Ok(true);
        }
        log.seek_relative(page_bytes.into())?;
        if !is_read(log.read_exact(&mut frame))? {
            return Ok(false);
        }
    }
}

/// Whether something was read, and not the end.
fn is_read(read: io::Result<()>) -> io::Result<bool> {
    match read {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == ErrorKind::UnexpectedEof => Ok(false),
        Err(error) => Err(error),
    }
}

fn number(bytes: &[u8], at: usize) -> u32 {
    let mut four = [0; 4];
    four.copy_from_slice(&bytes[at..at + 4]);
    u32::from_be_bytes(four)
}
