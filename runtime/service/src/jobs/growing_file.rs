//! A file of a job that grows step by step. Whoever holds the job writes a part of its own, behind what others wrote before and
//! committed, and nobody writes to a part of another one: a server that stood still, lost the job meanwhile and goes on before it
//! hears of that writes what nobody reads. Which parts there are, and how long each is, is committed with the step that they
//! are of, and told of the job at its end.

use super::folder::JobFolder;
use std::fs::{File, OpenOptions};
use std::io::{self, Seek as _, SeekFrom, Write as _};
use store::jobs::JobFilePart;
use wire::manage::JobFile;

/// The part of a file that one who holds the job writes.
#[derive(Debug)]
pub(super) struct GrowingFile {
    file: File,
    holder: String,
    /// The parts that others wrote before.
    before: Vec<JobFilePart>,
    /// Bytes of the own part that are committed. What was written behind them is cut off with what is written next.
    own: u64,
}

impl GrowingFile {
    /// Opens the own part of a file that has so much: a new one, where nothing of it is committed.
    pub(super) fn open(
        folder: &JobFolder,
        job: &str,
        (file, holder): (JobFile, &str),
        committed: &[JobFilePart],
    ) -> io::Result<Self> {
        require(folder, job, file, committed)?;
        let (own, before) = split(committed, holder);
        let opened = if own == 0 {
            folder.create_made(job, file, holder)?
        } else {
            let path = folder.made_path(job, file, holder);
            OpenOptions::new().write(true).open(path)?
        };
        Ok(GrowingFile {
            file: opened,
            holder: holder.to_owned(),
            before: before.to_vec(),
            own,
        })
    }

    /// Writes what comes behind all that was committed, to the disk; what the file has with it. Written anew, it takes the place
    /// of what was not committed.
    pub(super) fn write(&mut self, bytes: &[u8]) -> io::Result<Vec<JobFilePart>> {
        self.file.set_len(self.own)?;
        self.file.seek(SeekFrom::Start(self.own))?;
        self.file.write_all(bytes)?;
        self.file.sync_data()?;
        let mut parts = self.before.clone();
        let length = self.own + bytes.len() as u64;
        if length > 0 {
            parts.push(own_part(&self.holder, length));
        }
        Ok(parts)
    }

    /// Notes that the file has so much for good.
    pub(super) fn commit(&mut self, parts: &[JobFilePart]) {
        (self.own, _) = split(parts, &self.holder);
    }
}

/// A part that was written by who holds the job by this name.
pub(super) fn own_part(holder: &str, bytes: u64) -> JobFilePart {
    JobFilePart {
        holder: holder.to_owned(),
        bytes,
    }
}

/// How long a file of these parts is.
pub(super) fn length_of(parts: &[JobFilePart]) -> u64 {
    parts.iter().map(|part| part.bytes).sum()
}

/// Requires that all that was committed of a file is there.
pub(super) fn require(
    folder: &JobFolder,
    job: &str,
    file: JobFile,
    parts: &[JobFilePart],
) -> io::Result<()> {
    for part in parts {
        let path = folder.made_path(job, file, &part.holder);
        let (length, committed) = (std::fs::metadata(path)?.len(), part.bytes);
        if length < committed {
            let text = format!("it has {length} of the {committed} bytes that were written");
            return Err(io::Error::other(text));
        }
    }
    Ok(())
}

/// Ends a file with a few bytes more, in a part by themselves: whether the last step was committed may be unknown, so where the own
/// part ends may be, too.
pub(super) fn end_with(
    bytes: &[u8],
    folder: &JobFolder,
    job: &str,
    (file, holder): (JobFile, &str),
) -> io::Result<JobFilePart> {
    let by = format!("{holder}-end");
    let mut end = folder.create_made(job, file, &by)?;
    end.write_all(bytes)?;
    end.sync_data()?;
    Ok(own_part(&by, bytes.len() as u64))
}

/// Bytes of the own part, which is the last one if there is one, and the parts before it.
fn split<'p>(parts: &'p [JobFilePart], holder: &str) -> (u64, &'p [JobFilePart]) {
    match parts.split_last() {
        Some((last, before)) if last.holder == holder => (last.bytes, before),
        _ => (0, parts),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::jobs::folder::JOBS_FOLDER;

    const EXPORT: JobFile = JobFile::Export;

    /// A folder of jobs, and what keeps it.
    fn folder() -> (tempfile::TempDir, JobFolder) {
        let data = tempfile::tempdir().unwrap();
        let folder = JobFolder::new(data.path().join(JOBS_FOLDER));
        (data, folder)
    }

    fn open(folder: &JobFolder, holder: &str, committed: &[JobFilePart]) -> GrowingFile {
        GrowingFile::open(folder, "job", (EXPORT, holder), committed).unwrap()
    }

    /// What is read of a file that has these parts.
    fn read(folder: &JobFolder, parts: &[JobFilePart]) -> String {
        let read = |part: &JobFilePart| {
            let path = folder.made_path("job", EXPORT, &part.holder);
            let mut bytes = std::fs::read(path).unwrap();
            bytes.truncate(usize::try_from(part.bytes).unwrap());
            String::from_utf8(bytes).unwrap()
        };
        parts.iter().map(read).collect()
    }

    #[test]
    fn who_lost_a_job_and_writes_on_changes_nothing_of_what_another_one_wrote() {
        let (_data, folder) = folder();
        let mut first = open(&folder, "a", &[]);
        let committed = first.write(b"one\n").unwrap();
        first.commit(&committed);
        // written, and it stands still before the step
        first.write(b"two, of the first\n").unwrap();
        let mut second = open(&folder, "b", &committed);
        let told = second.write(b"two\n").unwrap();
        second.commit(&told);
        first.write(b"2\n").unwrap();
        let told = second.write(b"three\n").unwrap();
        second.commit(&told);
        drop(second);
        assert_eq!(told, [own_part("a", 4), own_part("b", 10)]);
        first.write(b"another two\n").unwrap();
        assert_eq!(read(&folder, &told), "one\ntwo\nthree\n");
        // nor does who begins anew, as where the schema changed, or ends the file
        open(&folder, "a2", &[]).write(b"1\n").unwrap();
        end_with(b"]\n", &folder, "job", (EXPORT, "a")).unwrap();
        assert_eq!(read(&folder, &told), "one\ntwo\nthree\n");
        // a third one goes on behind both
        let mut third = open(&folder, "c", &told);
        let mut told = third.write(b"four\n").unwrap();
        told.push(end_with(b"]\n", &folder, "job", (EXPORT, "c")).unwrap());
        assert_eq!(read(&folder, &told), "one\ntwo\nthree\nfour\n]\n");
        assert_eq!(length_of(&told), 21);
    }

    #[test]
    fn a_step_whose_end_nobody_told_is_in_the_file_though_its_writer_ends_it_without() {
        let (_data, folder) = folder();
        let mut first = open(&folder, "a", &[]);
        let committed = first.write(b"one\n").unwrap();
        // it was committed, and the answer is lost
        end_with(b"]\n", &folder, "job", (EXPORT, "a")).unwrap();
        drop(first);
        assert_eq!(read(&folder, &committed), "one\n");
    }

    #[test]
    fn what_was_not_committed_is_cut_off_when_its_writer_goes_on() {
        let (_data, folder) = folder();
        let mut file = open(&folder, "a", &[]);
        assert_eq!(file.write(b"").unwrap(), [], "nothing is no part");
        let committed = file.write(b"one\n").unwrap();
        file.commit(&committed);
        file.write(b"of a step that was taken back\n").unwrap();
        drop(file);
        let mut again = open(&folder, "a", &committed);
        let told = again.write(b"two\n").unwrap();
        assert_eq!(told, [own_part("a", 8)]);
        let path = folder.made_path("job", EXPORT, "a");
        assert_eq!(std::fs::read_to_string(path).unwrap(), "one\ntwo\n");
    }

    #[test]
    fn a_part_that_is_shorter_than_it_was_or_gone_is_no_file_to_go_on_with() {
        let (_data, folder) = folder();
        let mut first = open(&folder, "a", &[]);
        let committed = first.write(b"one\n").unwrap();
        drop(first);
        let again = |holder: &str| {
            let opened = GrowingFile::open(&folder, "job", (EXPORT, holder), &committed);
            opened.map(|_| ()).map_err(|error| error.kind())
        };
        let path = folder.made_path("job", EXPORT, "a");
        for holder in ["a", "b"] {
            assert_eq!(again(holder), Ok(()));
        }
        std::fs::write(&path, "one").unwrap();
        for holder in ["a", "b"] {
            assert_eq!(again(holder), Err(io::ErrorKind::Other));
        }
        std::fs::remove_file(&path).unwrap();
        for holder in ["a", "b"] {
            assert_eq!(again(holder), Err(io::ErrorKind::NotFound));
        }
    }
}
