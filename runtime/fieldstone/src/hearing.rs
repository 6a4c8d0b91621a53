//! A connection that is listened to while an answer on it is waited for: a client that closes its half or says more is
//! told to the answer, which may end its waiting (`server::HangUp`). Nothing that came is taken, and while no answer
//! asks, it costs a look at a lock. It stands next to the socket, so what it hears is also the end of a TLS stream.
//!
//! It looks where the connection is flushed, which hyper does in each of its turns; a test of the program holds it to that.

use crate::stream_hooks::Hooks;
use server::HangUp;
use std::task::Context;
use tokio::io::ReadBuf;
use tokio::net::TcpStream;

/// Who wants to know whether a socket's other end is still there.
pub(crate) struct Hearing {
    hang_up: HangUp,
}

impl Hearing {
    pub(crate) fn new(hang_up: HangUp) -> Self {
        Hearing { hang_up }
    }
}

impl Hooks<TcpStream> for Hearing {
    /// Looks what came, where somebody asks; else the task is woken when something comes.
    fn before_flush(&mut self, stream: &TcpStream, context: &mut Context<'_>) {
        if !self.hang_up.is_asked() {
            return;
        }
        let mut byte = [0];
        let mut byte = ReadBuf::new(&mut byte);
        if stream.poll_peek(context, &mut byte).is_ready() {
            self.hang_up.tell();
        }
    }
}
