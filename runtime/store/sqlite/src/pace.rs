//! When the writer begins: a sync costs the same for one write and for many, and who was just answered is often about to
//! write again. So it waits for those a moment, a part of what a sync takes or, on one core, one sync, where many write; a
//! few come into the next transaction as soon without it. It never changes the order of jobs, and knows nothing of what they do.

use super::queued_job::Job;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::Receiver;
use std::time::{Duration, Instant};

/// How many jobs one transaction takes at most.
const BATCH_MAX: usize = 256;
/// From how many writers on they are waited for: with 64, groups without a wait are a sixth of it, and the wait is won back;
/// with 8 or 16, they are half of it, and a fourth of the time is lost.
const MANY: usize = 32;
/// The same on one core: there those who make the next writes need it meanwhile, and what fewer commits save is theirs.
const MANY_ON_ONE_CORE: usize = 8;
/// Which part of a sync is waited at most: one in so many.
const PART: u32 = 2;
/// The same on one core.
const PART_ON_ONE_CORE: u32 = 1;
/// What is waited at most, however slow the disk is.
const WAIT_MAX: Duration = Duration::from_millis(2);
/// How long until the next look at who came; where a wait were shorter, it is none.
const LOOK: Duration = Duration::from_micros(50);
/// The same on one core, where a look takes it from those who are waited for.
const LOOK_ON_ONE_CORE: Duration = Duration::from_micros(150);
/// How many transactions are begun at once after a wait in which nobody came.
const AT_ONCE: u32 = 8;
/// How slowly the measured sync follows the last one: by one part in so many.
const SLOWNESS: u32 = 8;

/// What the writer knows of who writes, and of the disk.
pub(super) struct Pace {
    /// Jobs that are queued, and not taken yet.
    queued: Arc<AtomicUsize>,
    gathers: bool,
    /// From how many writers on they are waited for, which part of a sync, and how long until the next look at them.
    many: usize,
    part: u32,
    look: Duration,
    /// How many writers were about when the last ones were answered.
    about: usize,
    sync: Duration,
    at_once: u32,
}

impl Pace {
    /// Of a writer that waits for more, or never does, with so many cores; `queued` is how many jobs wait for it.
    pub(super) fn new(queued: Arc<AtomicUsize>, gathers: bool, cores: usize) -> Self {
        let (many, part, look) = match cores {
            0 | 1 => (MANY_ON_ONE_CORE, PART_ON_ONE_CORE, LOOK_ON_ONE_CORE),
            _ => (MANY, PART, LOOK),
        };
        Pace {
            queued,
            gathers,
            many,
            part,
            look,
            about: 0,
            sync: Duration::ZERO,
            at_once: 0,
        }
    }

    /// The jobs of one transaction: the first one, all that wait, and those that come in the moment that is waited.
    pub(super) fn gather(
        &mut self,
        first: Box<dyn Job>,
        queue: &Receiver<Box<dyn Job>>,
    ) -> Vec<Box<dyn Job>> {
        let mut jobs = vec![first];
        take(&mut jobs, queue);
        let wait = self.wait(jobs.len());
        if !wait.is_zero() {
            let (began, before) = (Instant::now(), jobs.len());
            while jobs.len() < self.enough() && began.elapsed() < wait {
                let rest = wait.saturating_sub(began.elapsed());
                std::thread::sleep(self.look.min(rest));
                take(&mut jobs, queue);
            }
            self.note_wait(jobs.len() > before);
        }
        self.queued.fetch_sub(jobs.len(), Ordering::Relaxed);
        jobs
    }

    /// Notes how long the disk took for a commit.
    pub(super) fn note_sync(&mut self, took: Duration) {
        self.sync = if self.sync.is_zero() {
            took
        } else {
            (self.sync * (SLOWNESS - 1) + took) / SLOWNESS
        };
    }

    /// Notes that so many are about to be answered: they and those that wait now are who writes.
    pub(super) fn note_answers(&mut self, answered: usize) {
        self.about = answered + self.queued.load(Ordering::Relaxed);
    }

    /// How many jobs need no wait for more.
    fn enough(&self) -> usize {
        self.about.min(BATCH_MAX)
    }

    /// How long so many jobs wait for more.
    fn wait(&mut self, jobs: usize) -> Duration {
        let wait = (self.sync / self.part).min(WAIT_MAX);
        if !self.gathers || self.about < self.many || jobs >= self.enough() || wait < self.look {
            return Duration::ZERO;
        }
        if self.at_once > 0 {
            self.at_once -= 1;
            return Duration::ZERO;
        }
        wait
    }

    /// Where nobody came, those that write take their time: the next ones are not made to wait for them.
    fn note_wait(&mut self, has_more: bool) {
        self.at_once = if has_more { 0 } else { AT_ONCE };
    }
}

/// Takes what waits, as far as there is room.
fn take(jobs: &mut Vec<Box<dyn Job>>, queue: &Receiver<Box<dyn Job>>) {
    let room = BATCH_MAX.saturating_sub(jobs.len());
    jobs.extend(queue.try_iter().take(room));
}

#[cfg(test)]
mod tests {
    use super::*;

    const SYNC: Duration = Duration::from_micros(400);

    fn pace(queued: usize) -> Pace {
        let mut pace = Pace::new(Arc::new(AtomicUsize::new(queued)), true, 2);
        pace.note_sync(SYNC);
        pace
    }

    #[test]
    fn a_few_who_write_are_never_made_to_wait() {
        let mut pace = pace(0);
        assert!(pace.wait(1).is_zero(), "nobody was answered before");
        for answered in [1, 2, 8, MANY - 1] {
            pace.note_answers(answered);
            assert!(pace.wait(1).is_zero(), "{answered} writers");
        }
    }

    #[test]
    fn on_one_core_fewer_are_waited_for_and_looked_at_less_often() {
        let one = (1, MANY_ON_ONE_CORE, SYNC);
        for (cores, many, waited) in [one, (2, MANY, SYNC / PART), (64, MANY, SYNC / PART)] {
            let mut pace = Pace::new(Arc::default(), true, cores);
            pace.note_sync(SYNC);
            pace.note_answers(many - 1);
            assert!(pace.wait(1).is_zero(), "{cores} cores");
            pace.note_answers(many);
            assert_eq!(pace.wait(1), waited, "{cores} cores");
            assert_eq!(pace.look == LOOK, cores > 1);
            pace.sync = LOOK_ON_ONE_CORE * 9 / 10;
            assert_eq!(pace.wait(1).is_zero(), cores == 1, "{cores} cores");
        }
    }

    #[test]
    fn many_who_were_just_answered_are_waited_for_half_a_sync() {
        let mut pace = pace(MANY - 3);
        pace.note_answers(3);
        assert_eq!(pace.wait(MANY - 3), SYNC / 2);
        assert!(pace.wait(MANY).is_zero(), "all are there");
    }

    #[test]
    fn a_disk_that_syncs_at_once_is_not_waited_for_and_a_slow_one_two_milliseconds() {
        let mut fast = Pace::new(Arc::default(), true, 2);
        fast.note_sync(Duration::from_micros(80));
        fast.note_answers(MANY);
        assert!(fast.wait(1).is_zero());
        let mut slow = Pace::new(Arc::default(), true, 2);
        slow.note_sync(Duration::from_millis(90));
        slow.note_answers(MANY);
        assert_eq!(slow.wait(1), WAIT_MAX);
    }

    #[test]
    fn after_a_wait_in_which_nobody_came_the_next_ones_begin_at_once() {
        let mut pace = pace(0);
        pace.note_answers(MANY);
        assert!(!pace.wait(1).is_zero());
        pace.note_wait(false);
        for _ in 0..AT_ONCE {
            assert!(pace.wait(1).is_zero());
        }
        assert!(!pace.wait(1).is_zero(), "then it is tried again");
    }

    #[test]
    fn one_slow_sync_is_not_taken_for_the_disk() {
        let mut pace = pace(0);
        pace.note_sync(SYNC * 9);
        assert_eq!(pace.sync, SYNC * 2);
    }
}
