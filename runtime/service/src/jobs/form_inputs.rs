//! Files under the name of a job that may be asked for several times at once, by a form that is sent again: whoever comes finds
//! the file whole, and who is refused takes it from nobody. What is in it is not looked at here.

use super::folder::{JobFolder, Part, remove};
use std::fs::File;
use std::io;
use std::path::Path;

impl JobFolder {
    /// Makes a file that was sent whole that of its form's job. It stays under the name that it was sent by, too: until the job
    /// is there, a twin of the form that is refused may take the job's back.
    pub(super) fn keep_for_form(&self, upload: &str, job: &str) -> io::Result<()> {
        self.keep_by(link, upload, job)
    }

    fn keep_by(&self, link: Link, upload: &str, job: &str) -> io::Result<()> {
        let (there, here) = (self.path(upload, Part::Upload), self.path(job, Part::Input));
        // no job has the id that the file was sent by: its own is its form's
        let draft = self.path(upload, Part::Input);
        second_name(link, &there, &draft, &here)?;
        self.sync()
    }

    /// Takes the file of a form's job back, under a name of one's own. Whether the job is there after all is to be looked for
    /// behind that: who puts it in later misses the file, and gives it its own.
    pub(super) fn take_back(&self, job: &str, own: &str) -> io::Result<()> {
        let draft = self.path(own, Part::Upload);
        // a file that has both names would keep them
        remove(&draft)?;
        std::fs::rename(self.path(job, Part::Input), draft)
    }

    /// Gives a job the file that another one was sent; `false` where that is not there any more. What stands under the job's
    /// name is whole at any moment: a copy that takes its time has a name of its own until then, which nobody else asks for.
    pub(super) fn share_input(&self, of: &str, job: &str, own: &str) -> io::Result<bool> {
        let (there, here) = (self.path(of, Part::Input), self.path(job, Part::Input));
        match second_name(link, &there, &self.path(own, Part::Upload), &here) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(false),
            shared => shared?,
        }
        File::open(&here)?.sync_all()?;
        self.sync()?;
        Ok(true)
    }
}

/// What gives a file a second name.
type Link = fn(&Path, &Path) -> io::Result<()>;

fn link(from: &Path, to: &Path) -> io::Result<()> {
    std::fs::hard_link(from, to)
}

/// Gives a file a second name, or what has that name all it has. It is there already where a form came twice at once, with the
/// same file.
fn second_name(link: Link, from: &Path, draft: &Path, to: &Path) -> io::Result<()> {
    match link(from, to) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Err(error),
        // not every disk can have one file by two names; where it lacks more than that, the copy meets it, and tells it
        Err(_) => copy_whole(from, draft, to),
        Ok(()) => Ok(()),
    }
}

/// Copies a file by way of a draft, so that nobody finds a part of it in its place; the draft is gone in any case.
fn copy_whole(from: &Path, draft: &Path, to: &Path) -> io::Result<()> {
    let copied = std::fs::copy(from, draft)
        .and_then(|_| File::open(draft)?.sync_all())
        .and_then(|()| std::fs::rename(draft, to));
    if copied.is_err() {
        // what is left of it all the same, a later cleaning removes
        let _ = remove(draft);
    }
    copied
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::jobs::folder::JOBS_FOLDER;
    use std::io::Write as _;

    #[test]
    fn a_copy_that_fails_leaves_nothing_in_its_place_and_no_draft() {
        let folder = tempfile::tempdir().unwrap();
        let [from, draft, to, full] =
            ["from", "draft", "to", "full"].map(|name| folder.path().join(name));
        let missing = copy_whole(&from, &draft, &to).map_err(|error| error.kind());
        assert_eq!(missing, Err(io::ErrorKind::NotFound));
        std::fs::write(&from, "all of it").unwrap();
        // a folder that is not empty can't be replaced
        std::fs::create_dir_all(full.join("inner")).unwrap();
        assert!(copy_whole(&from, &draft, &full).is_err());
        assert!(!draft.exists() && !to.exists());
        // what a copy that was cut off left under the draft's name is no part of it
        std::fs::write(&draft, "something longer than that").unwrap();
        copy_whole(&from, &draft, &to).unwrap();
        assert_eq!(std::fs::read_to_string(&to).unwrap(), "all of it");
        assert!(!draft.exists() && from.exists());
    }

    #[test]
    fn a_file_is_shared_once_and_who_comes_second_finds_it_whole() {
        let data = tempfile::tempdir().unwrap();
        let folder = JobFolder::new(data.path().join(JOBS_FOLDER));
        assert!(!folder.share_input("tried", "job", "own").unwrap());
        let mut file = folder.create("tried", Part::Input).unwrap();
        file.write_all(b"Code").unwrap();
        for own in ["first", "second"] {
            assert!(folder.share_input("tried", "job", own).unwrap());
            assert_eq!(folder.input_bytes("job").unwrap(), Some(4));
        }
        assert_eq!(folder.found().unwrap().len(), 2, "no drafts");
    }

    #[test]
    fn on_a_disk_without_links_a_twin_has_its_file_too_and_a_failure_is_told_as_what_it_is() {
        let data = tempfile::tempdir().unwrap();
        let folder = JobFolder::new(data.path().join(JOBS_FOLDER));
        let no_links: Link = |_, _| Err(io::ErrorKind::PermissionDenied.into());
        for own in ["first", "second"] {
            let mut file = folder.create(own, Part::Upload).unwrap();
            file.write_all(b"Code").unwrap();
            folder.keep_by(no_links, own, "job").unwrap();
        }
        assert_eq!(folder.found().unwrap().len(), 3, "no drafts");
        folder.take_back("job", "first").unwrap();
        folder.remove("first", Part::Upload).unwrap();
        assert_eq!(folder.input_bytes("job").unwrap(), None);
        folder.keep_by(no_links, "second", "job").unwrap();
        assert_eq!(folder.input_bytes("job").unwrap(), Some(4));
        let missing = folder.keep_by(no_links, "first", "other");
        let missing = missing.map_err(|error| error.kind());
        assert_eq!(missing, Err(io::ErrorKind::NotFound));
        assert_eq!(folder.found().unwrap().len(), 2, "no drafts");
    }

    #[test]
    fn a_file_that_a_refused_form_takes_back_is_still_there_for_its_twin() {
        let data = tempfile::tempdir().unwrap();
        let folder = JobFolder::new(data.path().join(JOBS_FOLDER));
        for own in ["first", "second"] {
            let mut file = folder.create(own, Part::Upload).unwrap();
            file.write_all(b"Code").unwrap();
            folder.keep_for_form(own, "job").unwrap();
        }
        folder.take_back("job", "first").unwrap();
        assert_eq!(folder.input_bytes("job").unwrap(), None);
        folder.remove("first", Part::Upload).unwrap();
        folder.keep_for_form("second", "job").unwrap();
        assert_eq!(folder.input_bytes("job").unwrap(), Some(4));
        // and of a form that came alone nothing is left
        folder.take_back("job", "second").unwrap();
        folder.remove("second", Part::Upload).unwrap();
        assert_eq!(folder.found().unwrap().len(), 0);
    }
}
