//! A connection whose other end must take what is written to it: it may pause for some time, and longer only
//! as it takes bytes. Whoever takes nothing, or just enough to be kept, is cut; else it would hold the
//! connection and the answer on it for as long as it likes. Time passes only while something waits to be
//! written, so an answer that is slow to be made costs a client nothing.

use crate::stream_hooks::Hooks;
use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::time::{Instant, Sleep};

/// How slowly a client may read.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ReadingPace {
    /// How long it may take nothing.
    pub(crate) pause_max: Duration,
    /// How many bytes a second it must take in the long run.
    pub(crate) bytes_per_second_min: u32,
}

impl ReadingPace {
    /// The time that bytes give who takes them.
    fn earned(self, bytes: usize) -> Duration {
        let bytes = u32::try_from(bytes).unwrap_or(u32::MAX);
        Duration::from_secs(bytes.into()) / self.bytes_per_second_min.max(1)
    }
}

/// Ends its stream with an error when the other end reads too slowly.
pub(crate) struct SlowReaderCut {
    pace: ReadingPace,
    /// How long the other end is still waited for.
    left: Duration,
    waiting: Option<Waiting>,
}

/// A write that waits.
struct Waiting {
    since: Instant,
    end: Pin<Box<Sleep>>,
}

impl SlowReaderCut {
    pub(crate) fn new(pace: ReadingPace) -> Self {
        SlowReaderCut {
            pace,
            left: pace.pause_max,
            waiting: None,
        }
    }
}

impl<S: AsyncRead + AsyncWrite + Unpin> Hooks<S> for SlowReaderCut {
    /// Time is counted while a write waits, and given for what was taken.
    fn after_write(
        &mut self,
        written: Poll<io::Result<usize>>,
        context: &mut Context<'_>,
    ) -> Poll<io::Result<usize>> {
        match written {
            Poll::Ready(result) => {
                if let Some(waited) = self.waiting.take() {
                    self.left = self.left.saturating_sub(waited.since.elapsed());
                }
                if self.left < self.pace.pause_max {
                    let earned = self.pace.earned(*result.as_ref().unwrap_or(&0));
                    self.left = self.left.saturating_add(earned).min(self.pace.pause_max);
                }
                Poll::Ready(result)
            }
            Poll::Pending => {
                let left = self.left;
                let waiting = self.waiting.get_or_insert_with(|| {
                    let since = Instant::now();
                    let end = Box::pin(tokio::time::sleep_until(since + left));
                    Waiting { since, end }
                });
                std::task::ready!(waiting.end.as_mut().poll(context));
                let text = "the client takes its answer too slowly";
                Poll::Ready(Err(io::Error::new(io::ErrorKind::TimedOut, text)))
            }
        }
    }
}
