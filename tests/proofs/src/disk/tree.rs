//! What the disk holds as its program sees it, and the record of every call that changes it. It never forgets a call, and
//! decides which calls fail.

use crate::ledger::Clock;
use std::collections::{BTreeMap, HashMap};
use std::ffi::{OsStr, OsString};

/// The folder that is mounted.
pub(super) const ROOT: u64 = 1;

/// A call that changes a disk, or makes a change last.
#[derive(Clone, Debug)]
pub(super) enum Call {
    Write {
        file: u64,
        at: usize,
        bytes: Vec<u8>,
    },
    Size {
        file: u64,
        size: usize,
    },
    Sync {
        file: u64,
    },
    /// The kernel takes what it could not write for written: a later sync says nothing of it.
    SyncFailed {
        file: u64,
    },
    Put {
        folder: u64,
        name: OsString,
        node: u64,
        is_folder: bool,
        mode: u16,
    },
    Remove {
        folder: u64,
        name: OsString,
    },
    Rename {
        from: (u64, OsString),
        to: (u64, OsString),
    },
    SyncFolder {
        folder: u64,
    },
}

/// How a call fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Failure {
    /// It can't be done: a block is bad.
    Io,
    /// There is no room.
    NoRoom,
    /// A write does a part of its work.
    Short,
    /// A sync says that something was not written.
    Sync,
}

/// Which calls fail: so many, from a number on.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Plan {
    pub(crate) failure: Failure,
    /// Calls of its kind that are let through first.
    pub(crate) after: u64,
    pub(crate) count: u64,
}

pub(super) enum Content {
    File(Vec<u8>),
    Folder(BTreeMap<OsString, u64>),
}

pub(super) struct Node {
    pub(super) content: Content,
    pub(super) mode: u16,
    pub(super) links: u32,
}

pub(super) struct Tree {
    clock: Clock,
    nodes: HashMap<u64, Node>,
    record: Vec<(u64, Call)>,
    plan: Option<Plan>,
    failed: u64,
}

/// What kind of call it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Read,
    Write,
    Sync,
    Name,
}

impl Failure {
    fn concerns(self, kind: Kind) -> bool {
        match self {
            Failure::Io => true,
            Failure::NoRoom => matches!(kind, Kind::Write | Kind::Name),
            Failure::Short => kind == Kind::Write,
            Failure::Sync => kind == Kind::Sync,
        }
    }
}

impl Tree {
    pub(super) fn new(clock: Clock) -> Self {
        let root = Node {
            content: Content::Folder(BTreeMap::new()),
            mode: 0o700,
            links: 2,
        };
        Tree {
            clock,
            nodes: HashMap::from([(ROOT, root)]),
            record: Vec::new(),
            plan: None,
            failed: 0,
        }
    }

    pub(super) fn plan(&mut self, plan: Option<Plan>) {
        self.plan = plan;
        self.failed = 0;
    }

    pub(super) fn failed(&self) -> u64 {
        self.failed
    }

    pub(super) fn record(&self) -> &[(u64, Call)] {
        &self.record
    }

    /// Whether a call of this kind fails, and how.
    pub(super) fn failure(&mut self, kind: Kind) -> Option<Failure> {
        let plan = self.plan.as_mut()?;
        if !plan.failure.concerns(kind) {
            return None;
        }
        if plan.after > 0 {
            plan.after -= 1;
            return None;
        }
        if plan.count == 0 {
            return None;
        }
        plan.count -= 1;
        self.failed += 1;
        Some(plan.failure)
    }

    pub(super) fn note(&mut self, call: Call) {
        self.record.push((self.clock.tick(), call));
    }

    pub(super) fn node(&self, id: u64) -> Option<&Node> {
        self.nodes.get(&id)
    }

    pub(super) fn file(&self, id: u64) -> Option<&Vec<u8>> {
        match &self.nodes.get(&id)?.content {
            Content::File(bytes) => Some(bytes),
            Content::Folder(_) => None,
        }
    }

    fn file_mut(&mut self, id: u64) -> Option<&mut Vec<u8>> {
        match &mut self.nodes.get_mut(&id)?.content {
            Content::File(bytes) => Some(bytes),
            Content::Folder(_) => None,
        }
    }

    pub(super) fn folder(&self, id: u64) -> Option<&BTreeMap<OsString, u64>> {
        match &self.nodes.get(&id)?.content {
            Content::Folder(entries) => Some(entries),
            Content::File(_) => None,
        }
    }

    fn folder_mut(&mut self, id: u64) -> Option<&mut BTreeMap<OsString, u64>> {
        match &mut self.nodes.get_mut(&id)?.content {
            Content::Folder(entries) => Some(entries),
            Content::File(_) => None,
        }
    }

    pub(super) fn find(&self, folder: u64, name: &OsStr) -> Option<u64> {
        self.folder(folder)?.get(name).copied()
    }

    pub(super) fn write(&mut self, file: u64, at: usize, bytes: &[u8]) -> Option<()> {
        put(self.file_mut(file)?, at, bytes);
        let bytes = bytes.to_vec();
        self.note(Call::Write { file, at, bytes });
        Some(())
    }

    pub(super) fn resize(&mut self, file: u64, size: usize) -> Option<()> {
        self.file_mut(file)?.resize(size, 0);
        self.note(Call::Size { file, size });
        Some(())
    }

    pub(super) fn chmod(&mut self, id: u64, mode: u16) {
        if let Some(node) = self.nodes.get_mut(&id) {
            node.mode = mode;
        }
    }

    /// A new file or folder.
    pub(super) fn make(
        &mut self,
        folder: u64,
        name: &OsStr,
        mode: u16,
        is_folder: bool,
    ) -> Option<u64> {
        let id = ROOT + self.nodes.len() as u64;
        self.folder_mut(folder)?.insert(name.to_owned(), id);
        let content = if is_folder {
            Content::Folder(BTreeMap::new())
        } else {
            Content::File(Vec::new())
        };
        let node = Node {
            content,
            mode,
            links: if is_folder { 2 } else { 1 },
        };
        self.nodes.insert(id, node);
        self.note(Call::Put {
            folder,
            name: name.to_owned(),
            node: id,
            is_folder,
            mode,
        });
        Some(id)
    }

    /// One more name of a file.
    pub(super) fn link(&mut self, id: u64, folder: u64, name: &OsStr) -> Option<()> {
        let node = self.nodes.get_mut(&id)?;
        node.links += 1;
        let mode = node.mode;
        self.folder_mut(folder)?.insert(name.to_owned(), id);
        self.note(Call::Put {
            folder,
            name: name.to_owned(),
            node: id,
            is_folder: false,
            mode,
        });
        Some(())
    }

    /// Takes a name away. What has no name any more stays for who has it open.
    pub(super) fn remove(&mut self, folder: u64, name: &OsStr) -> Option<()> {
        let id = self.folder_mut(folder)?.remove(name)?;
        if let Some(node) = self.nodes.get_mut(&id) {
            node.links = node.links.saturating_sub(1);
        }
        let name = name.to_owned();
        self.note(Call::Remove { folder, name });
        Some(())
    }

    pub(super) fn rename(&mut self, from: (u64, OsString), to: (u64, OsString)) -> Option<()> {
        let id = self.folder_mut(from.0)?.remove(&from.1)?;
        let before = self.folder_mut(to.0)?.insert(to.1.clone(), id);
        if let Some(node) = before.and_then(|id| self.nodes.get_mut(&id)) {
            node.links = node.links.saturating_sub(1);
        }
        self.note(Call::Rename { from, to });
        Some(())
    }
}

/// Puts bytes into a file, which grows as far as it must.
pub(super) fn put(file: &mut Vec<u8>, at: usize, bytes: &[u8]) {
    let end = at + bytes.len();
    if file.len() < end {
        file.resize(end, 0);
    }
    file[at..end].copy_from_slice(bytes);
}
