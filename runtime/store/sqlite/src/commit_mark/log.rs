//! The write-ahead log as a file, by SQLite's description of its format: a header, then frames, each a header and a
//! page. A frame's checksum covers all before it, so SQLite reads a log up to its first damaged frame. The commit that
//! was being written when a machine lost power may be such a frame, and nobody was told of it. But a log that has a
//! later commit behind one is damaged: each commit is on disk before the next one is written.

use super::CommitMark;
use std::fs::File;
use std::io::{self, BufReader, ErrorKind, Read};
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
    /// The beginning of one, and behind it what belongs to a newer one. What belongs to an older one may be there.
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
    /// A commit that was on disk can't be read any more.
    Damaged,
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
    let Some(header) = Header::read(&mut log)? else {
        return Ok(Found::NoLog);
    };
    let mut checksum = header.checksum;
    let mut frame = Frame::new(header.page_bytes);
    let mut readable = Commits::default();
    let (mut behind, mut is_readable, mut is_overwritten) = (Commits::default(), true, false);
    while frame.read(&mut log)? {
        let is_own = frame.head[8..16] == header.salts;
        is_readable = is_readable && is_own && checksum.goes_on(&frame);
        if is_readable {
            readable.note(&frame, page);
        } else if is_own {
            behind.note(&frame, page);
        } else {
            // a newer log writes its header first, and has it on disk before any frame. The first salt of a log is that of
            // the log before it, and one
            let ahead = number(&frame.head, 8).wrapping_sub(header.salt());
            is_overwritten |= (1..=NEWER_MAX).contains(&ahead);
        }
    }
    // the one commit that may not be on disk whole
    let unfinished = readable.last.map(|last| last.next(false)).or(behind.first);
    let is_damaged = unfinished
        .zip(behind.last)
        .is_some_and(|(unfinished, last)| last.number > unfinished.number);
    Ok(match readable.first.zip(readable.last) {
        _ if is_overwritten => Found::Overwritten,
        _ if is_damaged => Found::Damaged,
        Some((first, last)) => Found::Marks { first, last },
        None => Found::NoMark {
            restarts: header.restarts,
            salt: header.salt(),
            has_commit: readable.is_any,
        },
    })
}

/// The first salt of a log, if one can be read.
pub(super) fn salt(path: &Path) -> Option<u32> {
    let header = Header::read(&mut File::open(path).ok()?).ok()??;
    Some(header.salt())
}

/// Commits in a part of a log.
#[derive(Default)]
struct Commits {
    /// The first mark and the last one.
    first: Option<CommitMark>,
    last: Option<CommitMark>,
    /// Whether there are any, with a mark or without.
    is_any: bool,
}

impl Commits {
    fn note(&mut self, frame: &Frame, page: u32) {
        // a frame that ends a transaction tells how long the database is by then
        self.is_any |= number(&frame.head, 4) != 0;
        if number(&frame.head, 0) == page {
            self.last = CommitMark::in_page(&frame.page).or(self.last);
            self.first = self.first.or(self.last);
        }
    }
}

struct Header {
    page_bytes: u32,
    /// How many logs began in place of one before.
    restarts: u32,
    salts: [u8; 8],
    /// What the checksum of the first frame goes on from.
    checksum: Checksum,
}

impl Header {
    /// The header of a log; `None` where there is none.
    fn read(log: &mut impl Read) -> io::Result<Option<Self>> {
        let mut bytes = [0; HEADER_BYTES];
        if !is_read(log.read_exact(&mut bytes))? {
            return Ok(None);
        }
        let (magic, page_bytes) = (number(&bytes, 0), number(&bytes, 8));
        let mut checksum = Checksum {
            sums: [0; 2],
            word: if magic & 1 == 1 {
                u32::from_be_bytes
            } else {
                u32::from_le_bytes
            },
        };
        checksum.add(&bytes[..24]);
        let is_log = magic & !1 == MAGIC
            && (512..=PAGE_BYTES_MAX).contains(&page_bytes)
            && checksum.is(&bytes[24..]);
        let mut salts = [0; 8];
        salts.copy_from_slice(&bytes[16..24]);
        Ok(is_log.then_some(Header {
            page_bytes,
            restarts: number(&bytes, 12),
            salts,
            checksum,
        }))
    }

    fn salt(&self) -> u32 {
        number(&self.salts, 0)
    }
}

/// A frame: the number of a page, the length of the database where it ends a transaction, the log's salts, the checksum of
/// all before; and the page.
struct Frame {
    head: [u8; FRAME_HEADER_BYTES],
    page: Vec<u8>,
}

impl Frame {
    fn new(page_bytes: u32) -> Self {
        Frame {
            head: [0; FRAME_HEADER_BYTES],
            page: vec![0; page_bytes as usize],
        }
    }

    /// Reads the next one, if it is there to its end.
    fn read(&mut self, log: &mut impl Read) -> io::Result<bool> {
        Ok(is_read(log.read_exact(&mut self.head))? && is_read(log.read_exact(&mut self.page))?)
    }
}

/// SQLite's checksum of a log: each number depends on all that comes before.
#[derive(Clone, Copy)]
struct Checksum {
    sums: [u32; 2],
    /// Numbers of four bytes are read as on the machine that made the log.
    word: fn([u8; 4]) -> u32,
}

impl Checksum {
    fn add(&mut self, bytes: &[u8]) {
        let [mut one, mut two] = self.sums;
        for eight in bytes.chunks_exact(8) {
            let half =
                |at: usize| (self.word)([eight[at], eight[at + 1], eight[at + 2], eight[at + 3]]);
            one = one.wrapping_add(half(0)).wrapping_add(two);
            two = two.wrapping_add(half(4)).wrapping_add(one);
        }
        self.sums = [one, two];
    }

    /// Whether it is the one that stands there.
    fn is(&self, bytes: &[u8]) -> bool {
        self.sums == [number(bytes, 0), number(bytes, 4)]
    }

    /// Goes on by a frame: whether the frame is as it was written.
    fn goes_on(&mut self, frame: &Frame) -> bool {
        self.add(&frame.head[..8]);
        self.add(&frame.page);
        self.is(&frame.head[16..])
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
