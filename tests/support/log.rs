//! What a test binary logs, for tests that look in it.

use std::io::Write;
use std::sync::{Mutex, Once, PoisonError};

static LOG: Mutex<Vec<u8>> = Mutex::new(Vec::new());

struct Into;

impl Write for Into {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        let mut log = LOG.lock().unwrap_or_else(PoisonError::into_inner);
        log.extend(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// Listens to the log of the whole binary, of other tests too, from now on: everything, to the least
/// important line.
///
/// # Panics
/// When something else listens already.
pub fn listen() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let subscriber = tracing_subscriber::fmt()
            .with_ansi(false)
            .with_max_level(tracing_subscriber::filter::LevelFilter::TRACE)
            .with_writer(|| Into);
        let set = tracing::subscriber::set_global_default(subscriber.finish());
        set.expect("no other subscriber");
    });
}

/// The lines heard so far that hold a text.
pub fn lines_with(text: &str) -> Vec<String> {
    let log = LOG.lock().unwrap_or_else(PoisonError::into_inner);
    let log = String::from_utf8_lossy(&log);
    let lines = log.lines().filter(|line| line.contains(text));
    lines.map(str::to_owned).collect()
}
