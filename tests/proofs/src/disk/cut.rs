//! What a disk may hold when its power goes. What was synced is there. Of everything else there may be nothing, all, the
//! first so many calls, or any of them, down to single sectors: the kernel and the disk write in an order of their own.
//! Names are no better: a create, a rename or a removal lasts when its folder was synced, and may or may not before.

use super::tree::{Call, ROOT, put};
use anyhow::Context as _;
use fastrand::Rng;
use std::collections::{BTreeMap, HashMap};
use std::ffi::OsString;
use std::fs::Permissions;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

/// A write or a size that no sync made last.
enum Pending {
    Write { at: usize, bytes: Vec<u8> },
    Size(usize),
}

#[derive(Default)]
struct File {
    bytes: Vec<u8>,
    pending: Vec<Pending>,
}

/// What becomes of calls that were not synced.
#[derive(Clone, Copy)]
enum Fate {
    Nothing,
    All,
    First(usize),
    Any { sector: usize },
}

impl Fate {
    fn choose(rng: &mut Rng, calls: usize) -> Self {
        match rng.u32(0..8) {
            0 => Fate::Nothing,
            1 => Fate::All,
            2 | 3 => Fate::First(rng.usize(..=calls)),
            4 | 5 => Fate::Any { sector: 4096 },
            _ => Fate::Any { sector: 512 },
        }
    }
}

/// A disk, call by call.
#[derive(Default)]
pub(super) struct Wreck {
    files: HashMap<u64, File>,
    modes: HashMap<u64, (bool, u16)>,
    folders: HashMap<u64, BTreeMap<OsString, u64>>,
    names: Vec<Call>,
}

impl Wreck {
    /// The next call.
    pub(super) fn follow(&mut self, call: &Call, rng: &mut Rng) {
        match call {
            Call::Write { file, at, bytes } => self.pend(
                *file,
                Pending::Write {
                    at: *at,
                    bytes: bytes.clone(),
                },
            ),
            Call::Size { file, size } => self.pend(*file, Pending::Size(*size)),
            Call::Sync { file } => settle(self.files.entry(*file).or_default(), Fate::All, rng),
            Call::SyncFailed { file } => {
                let file = self.files.entry(*file).or_default();
                let fate = Fate::choose(rng, file.pending.len());
                settle(file, fate, rng);
            }
            Call::Put {
                node,
                is_folder,
                mode,
                ..
            } => {
                self.modes.insert(*node, (*is_folder, *mode));
                self.names.push(call.clone());
            }
            Call::Remove { .. } | Call::Rename { .. } => self.names.push(call.clone()),
            Call::SyncFolder { folder } => {
                let names = std::mem::take(&mut self.names);
                for name in names {
                    if concerns(&name, *folder) {
                        self.name(name);
                    } else {
                        self.names.push(name);
                    }
                }
            }
        }
    }

    fn pend(&mut self, file: u64, pending: Pending) {
        self.files.entry(file).or_default().pending.push(pending);
    }

    fn name(&mut self, call: Call) {
        match call {
            Call::Put {
                folder, name, node, ..
            } => {
                self.folders.entry(folder).or_default().insert(name, node);
            }
            Call::Remove { folder, name } => {
                self.folders.entry(folder).or_default().remove(&name);
            }
            Call::Rename { from, to } => {
                // its create may not have lasted
                let node = self.folders.entry(from.0).or_default().remove(&from.1);
                if let Some(node) = node {
                    self.folders.entry(to.0).or_default().insert(to.1, node);
                }
            }
            _ => {}
        }
    }

    /// The power goes: writes what is there into a folder; how many calls had not been synced.
    pub(super) fn write(mut self, rng: &mut Rng, folder: &Path) -> anyhow::Result<usize> {
        let mut open = self.names.len();
        let names = std::mem::take(&mut self.names);
        let fate = Fate::choose(rng, names.len());
        for (index, name) in names.into_iter().enumerate() {
            let lasts = match fate {
                Fate::Nothing => false,
                Fate::All => true,
                Fate::First(count) => index < count,
                Fate::Any { .. } => rng.bool(),
            };
            if lasts {
                self.name(name);
            }
        }
        let mut files: Vec<_> = self.files.iter_mut().collect();
        files.sort_by_key(|(id, _)| **id);
        for (_, file) in files {
            open += file.pending.len();
            let fate = Fate::choose(rng, file.pending.len());
            settle(file, fate, rng);
        }
        self.write_folder(ROOT, folder)?;
        Ok(open)
    }

    fn write_folder(&self, id: u64, path: &Path) -> anyhow::Result<()> {
        std::fs::create_dir_all(path)?;
        for (name, node) in self.folders.get(&id).into_iter().flatten() {
            let path = path.join(name);
            let (is_folder, mode) = self.modes.get(node).context("a node was made")?;
            if *is_folder {
                self.write_folder(*node, &path)?;
            } else {
                let bytes = self.files.get(node).map(|file| &file.bytes[..]);
                std::fs::write(&path, bytes.unwrap_or_default())?;
            }
            std::fs::set_permissions(&path, Permissions::from_mode(u32::from(*mode)))?;
        }
        Ok(())
    }
}

fn concerns(call: &Call, synced: u64) -> bool {
    match call {
        Call::Put { folder, .. } | Call::Remove { folder, .. } => *folder == synced,
        Call::Rename { from, to } => from.0 == synced || to.0 == synced,
        _ => false,
    }
}

/// What was pending is there or is not, by a fate.
fn settle(file: &mut File, fate: Fate, rng: &mut Rng) {
    for (index, pending) in std::mem::take(&mut file.pending).into_iter().enumerate() {
        match (fate, pending) {
            (Fate::Nothing, _) => {}
            (Fate::First(count), _) if index > count => {}
            // the last of the first ones is torn
            (Fate::First(count), Pending::Write { at, bytes }) if index == count => {
                let length = rng.usize(..=bytes.len()) / 512 * 512;
                put(&mut file.bytes, at, &bytes[..length]);
            }
            (Fate::Any { sector }, Pending::Write { at, bytes }) => {
                sectors(&mut file.bytes, at, &bytes, sector, rng);
            }
            (Fate::Any { .. }, Pending::Size(_)) if rng.bool() => {}
            (_, Pending::Write { at, bytes }) => put(&mut file.bytes, at, &bytes),
            (_, Pending::Size(size)) => file.bytes.resize(size, 0),
        }
    }
}

/// Any of a write's sectors, as they stand on a disk.
fn sectors(file: &mut Vec<u8>, at: usize, bytes: &[u8], sector: usize, rng: &mut Rng) {
    let mut done = 0;
    while done < bytes.len() {
        let end = ((at + done) / sector + 1) * sector - at;
        let end = end.min(bytes.len());
        if rng.bool() {
            put(file, at + done, &bytes[done..end]);
        }
        done = end;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn write(file: u64, text: &str) -> Call {
        Call::Write {
            file,
            at: 0,
            bytes: text.as_bytes().to_vec(),
        }
    }

    fn make(name: &str, node: u64) -> Call {
        Call::Put {
            folder: ROOT,
            name: name.into(),
            node,
            is_folder: false,
            mode: 0o600,
        }
    }

    /// What each of many cuts leaves in a file of this name.
    fn left(calls: &[Call], name: &str) -> Vec<Option<String>> {
        let folder = std::env::temp_dir().join(format!("wreck-{}-{name}", std::process::id()));
        let mut all = Vec::new();
        for seed in 0..64 {
            let (mut wreck, mut rng) = (Wreck::default(), Rng::with_seed(seed));
            for call in calls {
                wreck.follow(call, &mut rng);
            }
            wreck.write(&mut rng, &folder).unwrap();
            all.push(std::fs::read_to_string(folder.join(name)).ok());
            std::fs::remove_dir_all(&folder).unwrap();
        }
        all.sort();
        all.dedup();
        all
    }

    #[test]
    fn what_was_synced_is_there_and_what_was_not_may_be() {
        let sync = Call::Sync { file: 2 };
        let folder = Call::SyncFolder { folder: ROOT };
        let calls = [make("a", 2), write(2, "old"), sync, folder];
        let old = Some("old".to_owned());
        assert_eq!(left(&calls, "a"), std::slice::from_ref(&old));
        let calls = [&calls[..], &[write(2, "new")]].concat();
        assert_eq!(left(&calls, "a"), [Some("new".to_owned()), old]);
    }

    #[test]
    fn a_name_lasts_when_its_folder_was_synced_and_not_for_the_sync_of_its_file() {
        let calls = [make("b", 2), write(2, "text"), Call::Sync { file: 2 }];
        assert_eq!(left(&calls, "b"), [None, Some("text".to_owned())]);
    }

    #[test]
    fn what_a_failed_sync_left_out_no_later_sync_brings() {
        let calls = [
            make("c", 2),
            Call::SyncFolder { folder: ROOT },
            write(2, "lost"),
            Call::SyncFailed { file: 2 },
            Call::Sync { file: 2 },
        ];
        let left = left(&calls, "c");
        assert!(left.contains(&Some(String::new())) && left.contains(&Some("lost".to_owned())));
    }
}
