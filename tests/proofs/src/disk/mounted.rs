//! The disk as the kernel asks for it: each question answered from the tree, or failed where the plan says so.

use super::tree::{Call, Content, Failure, Kind, Tree};
use fuser::{
    BsdFileFlags, Errno, FileAttr, FileHandle, FileType, Filesystem, FopenFlags, Generation,
    INodeNo, LockOwner, OpenFlags, RenameFlags, ReplyAttr, ReplyCreate, ReplyData, ReplyDirectory,
    ReplyEmpty, ReplyEntry, ReplyStatfs, ReplyWrite, Request, TimeOrNow, WriteFlags,
};
use std::ffi::OsStr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// How long the kernel may remember: nobody else changes anything.
const TTL: Duration = Duration::from_secs(3600);
const BLOCK: u32 = 4096;
/// Room that is told: plenty.
const BLOCKS: u64 = 16 << 20;

pub(super) struct Mounted(pub(super) Arc<Mutex<Tree>>);

impl Mounted {
    fn tree(&self) -> MutexGuard<'_, Tree> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn attributes(tree: &Tree, id: u64) -> Option<FileAttr> {
    let node = tree.node(id)?;
    let (kind, size) = match &node.content {
        Content::File(bytes) => (FileType::RegularFile, bytes.len() as u64),
        Content::Folder(_) => (FileType::Directory, 0),
    };
    Some(FileAttr {
        ino: INodeNo(id),
        size,
        blocks: size.div_ceil(512),
        atime: UNIX_EPOCH,
        mtime: UNIX_EPOCH,
        ctime: UNIX_EPOCH,
        crtime: UNIX_EPOCH,
        kind,
        perm: node.mode,
        nlink: node.links,
        uid: 0,
        gid: 0,
        rdev: 0,
        blksize: BLOCK,
        flags: 0,
    })
}

fn errno(failure: Failure) -> Errno {
    match failure {
        Failure::NoRoom => Errno::ENOSPC,
        Failure::Io | Failure::Short | Failure::Sync => Errno::EIO,
    }
}

fn place(offset: u64) -> usize {
    usize::try_from(offset).unwrap_or(usize::MAX)
}

fn mode(mode: u32) -> u16 {
    u16::try_from(mode & 0o7777).unwrap_or(0o600)
}

impl Mounted {
    fn make(
        &self,
        parent: INodeNo,
        name: &OsStr,
        mode: u16,
        is_folder: bool,
    ) -> Result<FileAttr, Errno> {
        let mut tree = self.tree();
        if let Some(failure) = tree.failure(Kind::Name) {
            return Err(errno(failure));
        }
        if tree.find(parent.0, name).is_some() {
            return Err(Errno::EEXIST);
        }
        let id = tree.make(parent.0, name, mode, is_folder);
        let made = id.and_then(|id| attributes(&tree, id));
        made.ok_or(Errno::ENOENT)
    }

    fn remove(&self, parent: INodeNo, name: &OsStr) -> Result<(), Errno> {
        let mut tree = self.tree();
        if let Some(failure) = tree.failure(Kind::Name) {
            return Err(errno(failure));
        }
        tree.remove(parent.0, name).ok_or(Errno::ENOENT)
    }

    fn sync(&self, done: Call, failed: Option<Call>) -> Result<(), Errno> {
        let mut tree = self.tree();
        let Some(failure) = tree.failure(Kind::Sync) else {
            tree.note(done);
            return Ok(());
        };
        if let Some(failed) = failed {
            tree.note(failed);
        }
        Err(errno(failure))
    }
}

fn answer(reply: ReplyEmpty, result: Result<(), Errno>) {
    match result {
        Ok(()) => reply.ok(),
        Err(error) => reply.error(error),
    }
}

fn entry(reply: ReplyEntry, made: Result<FileAttr, Errno>) {
    match made {
        Ok(made) => reply.entry(&TTL, &made, Generation(0)),
        Err(error) => reply.error(error),
    }
}

impl Filesystem for Mounted {
    fn lookup(&self, _: &Request, parent: INodeNo, name: &OsStr, reply: ReplyEntry) {
        let tree = self.tree();
        let found = tree.find(parent.0, name);
        let found = found.and_then(|id| attributes(&tree, id));
        entry(reply, found.ok_or(Errno::ENOENT));
    }

    fn getattr(&self, _: &Request, ino: INodeNo, _: Option<FileHandle>, reply: ReplyAttr) {
        match attributes(&self.tree(), ino.0) {
            Some(found) => reply.attr(&TTL, &found),
            None => reply.error(Errno::ENOENT),
        }
    }

    fn setattr(
        &self,
        _: &Request,
        ino: INodeNo,
        new_mode: Option<u32>,
        _: Option<u32>,
        _: Option<u32>,
        size: Option<u64>,
        _: Option<TimeOrNow>,
        _: Option<TimeOrNow>,
        _: Option<SystemTime>,
        _: Option<FileHandle>,
        _: Option<SystemTime>,
        _: Option<SystemTime>,
        _: Option<SystemTime>,
        _: Option<BsdFileFlags>,
        reply: ReplyAttr,
    ) {
        let mut tree = self.tree();
        if let Some(size) = size {
            if let Some(failure) = tree.failure(Kind::Write) {
                return reply.error(errno(failure));
            }
            tree.resize(ino.0, place(size));
        }
        if let Some(new_mode) = new_mode {
            tree.chmod(ino.0, mode(new_mode));
        }
        match attributes(&tree, ino.0) {
            Some(found) => reply.attr(&TTL, &found),
            None => reply.error(Errno::ENOENT),
        }
    }

    fn mkdir(
        &self,
        _: &Request,
        parent: INodeNo,
        name: &OsStr,
        wanted: u32,
        umask: u32,
        reply: ReplyEntry,
    ) {
        entry(reply, self.make(parent, name, mode(wanted & !umask), true));
    }

    fn create(
        &self,
        _: &Request,
        parent: INodeNo,
        name: &OsStr,
        wanted: u32,
        umask: u32,
        _: i32,
        reply: ReplyCreate,
    ) {
        match self.make(parent, name, mode(wanted & !umask), false) {
            Ok(made) => reply.created(
                &TTL,
                &made,
                Generation(0),
                FileHandle(0),
                FopenFlags::FOPEN_KEEP_CACHE,
            ),
            Err(error) => reply.error(error),
        }
    }

    fn unlink(&self, _: &Request, parent: INodeNo, name: &OsStr, reply: ReplyEmpty) {
        answer(reply, self.remove(parent, name));
    }

    fn rmdir(&self, _: &Request, parent: INodeNo, name: &OsStr, reply: ReplyEmpty) {
        let has_more = {
            let tree = self.tree();
            let folder = tree.find(parent.0, name).and_then(|id| tree.folder(id));
            folder.is_some_and(|entries| !entries.is_empty())
        };
        let result = if has_more {
            Err(Errno::ENOTEMPTY)
        } else {
            self.remove(parent, name)
        };
        answer(reply, result);
    }

    fn rename(
        &self,
        _: &Request,
        parent: INodeNo,
        name: &OsStr,
        new_parent: INodeNo,
        new_name: &OsStr,
        flags: RenameFlags,
        reply: ReplyEmpty,
    ) {
        let mut tree = self.tree();
        let is_there = tree.find(new_parent.0, new_name).is_some();
        let result = match tree.failure(Kind::Name) {
            Some(failure) => Err(errno(failure)),
            None if flags.contains(RenameFlags::RENAME_NOREPLACE) && is_there => Err(Errno::EEXIST),
            None => {
                let from = (parent.0, name.to_owned());
                let to = (new_parent.0, new_name.to_owned());
                tree.rename(from, to).ok_or(Errno::ENOENT)
            }
        };
        answer(reply, result);
    }

    fn link(&self, _: &Request, ino: INodeNo, parent: INodeNo, name: &OsStr, reply: ReplyEntry) {
        let mut tree = self.tree();
        if let Some(failure) = tree.failure(Kind::Name) {
            return reply.error(errno(failure));
        }
        if tree.find(parent.0, name).is_some() {
            return reply.error(Errno::EEXIST);
        }
        let linked = tree.link(ino.0, parent.0, name);
        let linked = linked.and_then(|()| attributes(&tree, ino.0));
        entry(reply, linked.ok_or(Errno::ENOENT));
    }

    fn read(
        &self,
        _: &Request,
        ino: INodeNo,
        _: FileHandle,
        offset: u64,
        size: u32,
        _: OpenFlags,
        _: Option<LockOwner>,
        reply: ReplyData,
    ) {
        let mut tree = self.tree();
        if let Some(failure) = tree.failure(Kind::Read) {
            return reply.error(errno(failure));
        }
        let Some(bytes) = tree.file(ino.0) else {
            return reply.error(Errno::ENOENT);
        };
        let start = place(offset).min(bytes.len());
        let end = start.saturating_add(size as usize).min(bytes.len());
        reply.data(&bytes[start..end]);
    }

    fn write(
        &self,
        _: &Request,
        ino: INodeNo,
        _: FileHandle,
        offset: u64,
        data: &[u8],
        _: WriteFlags,
        _: OpenFlags,
        _: Option<LockOwner>,
        reply: ReplyWrite,
    ) {
        let mut tree = self.tree();
        let data = match tree.failure(Kind::Write) {
            None => data,
            Some(Failure::Short) => &data[..data.len().div_ceil(2)],
            Some(failure) => return reply.error(errno(failure)),
        };
        match tree.write(ino.0, place(offset), data) {
            Some(()) => reply.written(u32::try_from(data.len()).unwrap_or(u32::MAX)),
            None => reply.error(Errno::ENOENT),
        }
    }

    fn flush(&self, _: &Request, _: INodeNo, _: FileHandle, _: LockOwner, reply: ReplyEmpty) {
        reply.ok();
    }

    fn fsync(&self, _: &Request, ino: INodeNo, _: FileHandle, _: bool, reply: ReplyEmpty) {
        let file = ino.0;
        answer(
            reply,
            self.sync(Call::Sync { file }, Some(Call::SyncFailed { file })),
        );
    }

    fn fsyncdir(&self, _: &Request, ino: INodeNo, _: FileHandle, _: bool, reply: ReplyEmpty) {
        answer(reply, self.sync(Call::SyncFolder { folder: ino.0 }, None));
    }

    fn readdir(
        &self,
        _: &Request,
        ino: INodeNo,
        _: FileHandle,
        offset: u64,
        mut reply: ReplyDirectory,
    ) {
        let tree = self.tree();
        let Some(entries) = tree.folder(ino.0) else {
            return reply.error(Errno::ENOENT);
        };
        let own = [(".", ino.0), ("..", ino.0)].map(|(name, id)| (OsStr::new(name), id));
        let all = own
            .into_iter()
            .chain(entries.iter().map(|(name, id)| (name.as_os_str(), *id)));
        for (next, (name, id)) in (1..).zip(all).skip(place(offset)) {
            let kind = match tree.file(id) {
                Some(_) => FileType::RegularFile,
                None => FileType::Directory,
            };
            if reply.add(INodeNo(id), next, kind, name) {
                break;
            }
        }
        reply.ok();
    }

    fn statfs(&self, _: &Request, _: INodeNo, reply: ReplyStatfs) {
        reply.statfs(BLOCKS, BLOCKS, BLOCKS, BLOCKS, BLOCKS, BLOCK, 255, BLOCK);
    }
}
