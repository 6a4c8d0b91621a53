//! A disk in our own hands: a folder that the kernel mounts (FUSE) and this process answers for, so that every write, sync,
//! create and rename of the program is seen, whichever way it is made, stamped by the ledger's clock and kept. A call may
//! be told to fail. Why not a library preloaded into the program: some of its calls go to the kernel past the C library.

mod cut;
mod mounted;
mod tree;

use crate::ledger::Clock;
use anyhow::Context as _;
use cut::Wreck;
use fastrand::Rng;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tree::Tree;

pub(crate) use tree::{Failure, Plan};

/// A disk that is mounted; it goes when this is dropped, and no program may be on it then.
pub(crate) struct Disk {
    tree: Arc<Mutex<Tree>>,
    mount: Option<fuser::BackgroundSession>,
}

impl Disk {
    /// Mounts an empty one. An error says that this machine has no such mounts.
    pub(crate) fn mount(folder: &Path, clock: Clock) -> anyhow::Result<Self> {
        std::fs::create_dir_all(folder)?;
        let tree = Arc::new(Mutex::new(Tree::new(clock)));
        let mounted = mounted::Mounted(tree.clone());
        let mut options = fuser::Config::default();
        options
            .mount_options
            .push(fuser::MountOption::FSName("proofs".to_owned()));
        let mount = fuser::spawn_mount(mounted, folder, &options);
        let mount = mount.context("this machine lets no disk of ours be mounted")?;
        Ok(Disk {
            tree,
            mount: Some(mount),
        })
    }

    fn tree(&self) -> MutexGuard<'_, Tree> {
        self.tree.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Lets calls fail from now on, until it is told otherwise.
    pub(crate) fn fail(&self, plan: Option<Plan>) {
        self.tree().plan(plan);
    }

    /// Calls that failed since the last plan.
    pub(crate) fn failed(&self) -> u64 {
        self.tree().failed()
    }

    /// Writes and syncs until now.
    pub(crate) fn calls(&self) -> usize {
        self.tree().record().len()
    }

    /// Writes into a folder what a disk may hold whose power goes behind a stamp; how many writes were not synced then.
    pub(crate) fn cut(&self, at: u64, rng: &mut Rng, folder: &Path) -> anyhow::Result<usize> {
        let mut wreck = Wreck::default();
        for (stamp, call) in self.tree().record() {
            if *stamp > at {
                break;
            }
            wreck.follow(call, rng);
        }
        wreck.write(rng, folder)
    }

    /// Takes it away.
    pub(crate) fn unmount(mut self) -> anyhow::Result<()> {
        match self.mount.take() {
            Some(mount) => mount.umount_and_join().context("the disk stays mounted"),
            None => Ok(()),
        }
    }
}
