//! What a program prints, as it comes.

use std::io::{self, Read, Write};
use std::sync::{Arc, Condvar, Mutex};
use std::time::Duration;

/// Longer than anything takes, on a machine that does much else: an index of the whole demo, too.
pub(crate) const TIMEOUT: Duration = Duration::from_secs(600);

pub(crate) fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// What was printed so far.
#[derive(Clone, Default)]
pub(crate) struct Transcript(Arc<(Mutex<State>, Condvar)>);

#[derive(Default)]
struct State {
    bytes: Vec<u8>,
    has_ended: bool,
}

/// Prints; when it is dropped, the transcript has ended.
pub(crate) struct Printer(Transcript);

impl Transcript {
    /// All that a pipe has.
    pub(crate) fn of(mut pipe: impl Read + Send + 'static) -> Self {
        let transcript = Self::default();
        let mut printer = transcript.writer();
        std::thread::spawn(move || io::copy(&mut pipe, &mut printer));
        transcript
    }

    pub(crate) fn writer(&self) -> Printer {
        Printer(self.clone())
    }

    pub(crate) fn bytes(&self) -> Vec<u8> {
        self.0.0.lock().unwrap().bytes.clone()
    }

    pub(crate) fn text(&self) -> String {
        text(&self.bytes())
    }

    /// The first line, without its end; nothing where it ended before there was one.
    pub(crate) fn first_line(&self) -> String {
        self.wait_until("a line", |state| {
            state.bytes.contains(&b'\n') || state.has_ended
        });
        let all = self.text();
        let line = all.split_once('\n').map(|(line, _)| line);
        line.unwrap_or_default().to_owned()
    }

    /// All of it, once a text stands in it.
    pub(crate) fn wait_for(&self, wanted: &str) -> String {
        self.wait_until(wanted, |state| {
            String::from_utf8_lossy(&state.bytes).contains(wanted)
        });
        self.text()
    }

    pub(crate) fn wait_for_end(&self) {
        self.wait_until("the end", |state| state.has_ended);
    }

    fn wait_until(&self, what: &str, mut is_there: impl FnMut(&State) -> bool) {
        let (state, change) = &*self.0;
        let state = state.lock().unwrap();
        let waited = change.wait_timeout_while(state, TIMEOUT, |state| !is_there(state));
        let (state, waited) = waited.unwrap();
        let printed = String::from_utf8_lossy(&state.bytes).into_owned();
        drop(state);
        assert!(!waited.timed_out(), "`{what}` does not come: {printed}");
    }
}

impl Write for Printer {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let (state, change) = &*self.0.0;
        state.lock().unwrap().bytes.extend_from_slice(bytes);
        change.notify_all();
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Drop for Printer {
    fn drop(&mut self) {
        let (state, change) = &*self.0.0;
        state.lock().unwrap().has_ended = true;
        change.notify_all();
    }
}
