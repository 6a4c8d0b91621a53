//! Whether the other end of a connection has had enough: for answers that are waited for long. Who brings connections hands
//! one to each request, as an extension, and looks at its connection only while somebody waits. It knows no sockets.

use parking_lot::Mutex;
use std::future::poll_fn;
use std::sync::Arc;
use std::task::{Poll, Waker};

/// The other end of a connection, as far as answers ask for it.
#[derive(Clone, Debug, Default)]
pub struct HangUp(Arc<Mutex<State>>);

#[derive(Debug, Default)]
enum State {
    #[default]
    NobodyAsks,
    Asked(Waker),
    Over,
}

impl HangUp {
    /// Whether an answer waits for this: then the connection is to be looked at whenever its task has a turn.
    #[must_use]
    pub fn is_asked(&self) -> bool {
        matches!(*self.0.lock(), State::Asked(_))
    }

    /// Tells who waits that something came: the end of what the client says, or more than its request.
    pub fn tell(&self) {
        let state = std::mem::replace(&mut *self.0.lock(), State::Over);
        if let State::Asked(waker) = state {
            waker.wake();
        }
    }

    /// Waits until the client closes its half or says more. Nothing is asked any more when this is dropped.
    pub(crate) async fn wait(&self) {
        let _end = Forget(self);
        poll_fn(|context| {
            let mut state = self.0.lock();
            if matches!(*state, State::Over) {
                return Poll::Ready(());
            }
            *state = State::Asked(context.waker().clone());
            Poll::Pending
        })
        .await;
    }
}

/// Ends the asking.
struct Forget<'h>(&'h HangUp);

impl Drop for Forget<'_> {
    fn drop(&mut self) {
        *self.0.0.lock() = State::NobodyAsks;
    }
}
