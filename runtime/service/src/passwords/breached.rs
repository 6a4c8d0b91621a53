//! A list of passwords that became known by breaches, as it is distributed: SHA-1 in hex, one a line, in ascending
//! order, each with a colon and a count behind it or without. Such a list has tens of gigabytes, so it is searched
//! where it lies and never held in memory. It stays open: a file put in its place counts from the next start.

use parking_lot::Mutex;
use sha1::{Digest as _, Sha1};
use std::fmt;
use std::fs::File;
use std::io::{self, Read as _, Seek as _, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use thiserror::Error;

/// Bytes of a line at most, with its end: the hash, a colon, a count.
const LINE_MAX: usize = 80;
/// Lines that are looked at when a list is opened, from its first to its last.
const LOOKED_AT: u64 = 1024;

type Hash = [u8; 20];

/// A list that can be asked.
#[derive(Clone)]
pub struct BreachedPasswords {
    list: Arc<List>,
}

struct List {
    path: PathBuf,
    bytes: u64,
    // one question at a time: passwords are chosen seldom
    file: Mutex<File>,
}

/// Why a list can't be asked.
#[derive(Debug, Error)]
pub enum BreachedPasswordsError {
    /// It can't be read.
    #[error("can't read {}", .path.display())]
    Unreadable {
        /// The list.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// It is no such list.
    #[error("{} is no list of breached passwords: {problem}", .path.display())]
    NoList {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        problem: String,
    },
}

impl fmt::Debug for BreachedPasswords {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("BreachedPasswords")
            .field(&self.list.path)
            .finish()
    }
}

impl BreachedPasswords {
    /// Opens a list. A thousand of its lines, from the first to the last, are looked at; all would take minutes.
    ///
    /// # Errors
    /// It can't be read, has no lines, or one of those lines is no hash or stands in the wrong place.
    pub fn open(path: &Path) -> Result<Self, BreachedPasswordsError> {
        let list = List::open(path)?;
        list.look_through()?;
        Ok(BreachedPasswords {
            list: Arc::new(list),
        })
    }

    /// Whether the password is on the list. Reads the disk some forty times: not for the threads that answer.
    ///
    /// # Errors
    /// The list can't be read any more, or is damaged where this password would stand.
    pub fn have(&self, password: &str) -> Result<bool, BreachedPasswordsError> {
        self.list.has(&Sha1::digest(password).into())
    }
}

impl List {
    fn open(path: &Path) -> Result<Self, BreachedPasswordsError> {
        let open = || {
            let file = File::open(path)?;
            let known = file.metadata()?;
            Ok((file, known))
        };
        let (file, known) = open().map_err(|source| BreachedPasswordsError::Unreadable {
            path: path.to_owned(),
            source,
        })?;
        let list = List {
            path: path.to_owned(),
            bytes: known.len(),
            file: Mutex::new(file),
        };
        match (known.is_file(), known.len()) {
            (true, 1..) => Ok(list),
            (true, _) => Err(list.problem("it is empty")),
            (false, _) => Err(list.problem("it is no file")),
        }
    }

    fn look_through(&self) -> Result<(), BreachedPasswordsError> {
        let mut last: Option<(u64, Hash)> = None;
        for step in 0..LOOKED_AT {
            // INVARIANT: the product of a length and a thousand fits where the length is a file's
            let at = u64::try_from(
                u128::from(self.bytes - 1) * u128::from(step) / u128::from(LOOKED_AT - 1),
            )
            .unwrap_or(self.bytes - 1);
            let line = self.line_around(at)?;
            match last {
                Some((begin, _)) if begin == line.begin => {}
                Some((_, before)) if before >= line.hash => {
                    return Err(self.problem(format_args!(
                        "the line at byte {} is not behind those before it; take the list that is ordered by hash",
                        line.begin
                    )));
                }
                _ => last = Some((line.begin, line.hash)),
            }
        }
        Ok(())
    }

    fn has(&self, wanted: &Hash) -> Result<bool, BreachedPasswordsError> {
        let (mut from, mut to) = (0, self.bytes);
        while from < to {
            let line = self.line_around(from + (to - from) / 2)?;
            match line.hash.cmp(wanted) {
                std::cmp::Ordering::Equal => return Ok(true),
                std::cmp::Ordering::Less => from = line.end,
                std::cmp::Ordering::Greater => to = line.begin,
            }
        }
        Ok(false)
    }

    /// The line that has this byte.
    fn line_around(&self, at: u64) -> Result<Line, BreachedPasswordsError> {
        const BEFORE: u64 = LINE_MAX as u64;
        let first = at.saturating_sub(BEFORE);
        let bytes = self
            .read(first)
            .map_err(|source| BreachedPasswordsError::Unreadable {
                path: self.path.clone(),
                source,
            })?;
        // INVARIANT: both are smaller than a line
        let own = usize::try_from(at - first).unwrap_or_default();
        let damaged = || self.problem(format_args!("around byte {at} is no line with a hash"));
        let (before, behind) = bytes.split_at_checked(own).ok_or_else(damaged)?;
        let begin = match before.iter().rposition(|byte| *byte == b'\n') {
            Some(end) => end + 1,
            None if first == 0 => 0,
            None => return Err(damaged()),
        };
        let end = match behind.iter().position(|byte| *byte == b'\n') {
            Some(end) => own + end + 1,
            None if first + bytes.len() as u64 == self.bytes => bytes.len(),
            None => return Err(damaged()),
        };
        Ok(Line {
            hash: hash_of(&bytes[begin..end]).ok_or_else(damaged)?,
            begin: first + begin as u64,
            end: first + end as u64,
        })
    }

    /// What stands there, as much as two lines have.
    fn read(&self, from: u64) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::with_capacity(2 * LINE_MAX);
        let mut file = self.file.lock();
        file.seek(SeekFrom::Start(from))?;
        (&mut *file)
            .take(2 * LINE_MAX as u64)
            .read_to_end(&mut bytes)?;
        Ok(bytes)
    }

    fn problem(&self, problem: impl fmt::Display) -> BreachedPasswordsError {
        BreachedPasswordsError::NoList {
            path: self.path.clone(),
            problem: problem.to_string(),
        }
    }
}

/// A line of the list.
struct Line {
    hash: Hash,
    begin: u64,
    end: u64,
}

/// The hash of a line such as `000000005AD76BD555C1D6D771DE417A4B87E4B4:10`.
fn hash_of(line: &[u8]) -> Option<Hash> {
    let text = std::str::from_utf8(line)
        .ok()?
        .trim_end_matches(['\n', '\r']);
    let (digits, count) = text.split_once(':').unwrap_or((text, "0"));
    let is_count = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let is_hex = |text: &str| text.bytes().all(|byte| byte.is_ascii_hexdigit());
    if digits.len() != 40 || !is_hex(digits) || !is_count(count) {
        return None;
    }
    let mut hash = Hash::default();
    for (byte, at) in hash.iter_mut().zip((0..).step_by(2)) {
        *byte = u8::from_str_radix(digits.get(at..at + 2)?, 16).ok()?;
    }
    Some(hash)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hex(password: &str) -> String {
        let hash: Hash = Sha1::digest(password).into();
        let digits = |text: String, byte: &u8| text + &format!("{byte:02X}");
        hash.iter().fold(String::new(), digits)
    }

    fn written(content: &str) -> (tempfile::TempDir, PathBuf) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("list.txt");
        std::fs::write(&path, content).unwrap();
        (folder, path)
    }

    #[test]
    fn each_password_of_a_list_is_found_and_no_other_however_lines_end() {
        for (end, has_count, count) in [
            ("\n", true, 1),
            ("\r\n", true, 2),
            ("\n", false, 777),
            ("\r\n", false, 50),
        ] {
            let listed: Vec<String> = (0..count)
                .map(|number| format!("listed {number}"))
                .collect();
            let mut hashes: Vec<_> = listed.iter().map(|it| hex(it)).collect();
            hashes.sort();
            let line = |(number, hash): (usize, String)| {
                if has_count {
                    let count = 10_usize.pow(u32::try_from(number % 9).unwrap());
                    format!("{hash}:{count}")
                } else {
                    hash.to_lowercase()
                }
            };
            let lines: Vec<_> = hashes.into_iter().enumerate().map(line).collect();
            for last in ["", end] {
                let (_folder, path) = written(&format!("{}{last}", lines.join(end)));
                let list = BreachedPasswords::open(&path).unwrap();
                for it in &listed {
                    assert!(list.have(it).unwrap(), "{it} of {count}");
                    assert!(!list.have(&format!("not {it}")).unwrap());
                }
            }
        }
    }

    #[test]
    fn what_is_no_such_list_is_refused_with_the_reason() {
        let mut hashes: Vec<_> = (0..500).map(|number| hex(&number.to_string())).collect();
        let unsorted = hashes.join("\n");
        hashes.sort();
        let sorted = hashes.join("\n");
        for (content, reason) in [
            (String::new(), "it is empty"),
            ("\n\n\n".to_owned(), "around byte 0 is no line"),
            ("passw0rd:3\n".to_owned(), "around byte 0 is no line"),
            (unsorted, "not behind those before it"),
            (
                format!("{sorted}\n{}", "x".repeat(500)),
                "is no line with a hash",
            ),
            (
                sorted.replacen(
                    &hashes[250],
                    &hashes[250].replace(|c: char| c.is_ascii(), "g"),
                    1,
                ),
                "is no line",
            ),
            (format!("{}\n{sorted}", hashes[499]), "not behind"),
        ] {
            let (_folder, path) = written(&content);
            let error = BreachedPasswords::open(&path).unwrap_err().to_string();
            assert!(error.contains(reason), "{error}");
        }
        let (folder, path) = written("");
        let error = BreachedPasswords::open(folder.path())
            .unwrap_err()
            .to_string();
        assert!(error.contains("it is no file"), "{error}");
        let error = BreachedPasswords::open(&path.join("gone"))
            .unwrap_err()
            .to_string();
        assert!(error.starts_with("can't read"), "{error}");
    }
}
