//! Writes wait for one turn of the scheduler, and for no more: nothing is lost, kept back or changed by it.

#[path = "../src/coalesce.rs"]
mod coalesce;
#[path = "../src/stream_hooks.rs"]
mod stream_hooks;

use coalesce::Coalesce;
use std::collections::VecDeque;
use std::io::{self, IoSlice};
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::{Context, Poll, Wake, Waker};
use stream_hooks::HookedStream;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

/// A stream that records what it is asked, and answers a write as it was told; else it takes all.
#[derive(Default)]
struct Recorder {
    answers: VecDeque<Poll<io::Result<usize>>>,
    asked: Vec<String>,
}

impl Recorder {
    fn write(&mut self, how: &str, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let text = String::from_utf8_lossy(bytes);
        self.asked.push(format!("{how} {text}"));
        let all = Poll::Ready(Ok(bytes.len()));
        self.answers.pop_front().unwrap_or(all)
    }
}

impl AsyncRead for &mut Recorder {
    fn poll_read(
        mut self: Pin<&mut Self>,
        _: &mut Context<'_>,
        into: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        self.asked.push("read".to_owned());
        into.put_slice(b"sent");
        Poll::Ready(Ok(()))
    }
}

impl AsyncWrite for &mut Recorder {
    fn poll_write(
        mut self: Pin<&mut Self>,
        _: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        self.write("write", bytes)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        _: &mut Context<'_>,
        pieces: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let pieces: Vec<&[u8]> = pieces.iter().map(|piece| &**piece).collect();
        self.write("pieces", &pieces.join(&b'+'))
    }

    fn is_write_vectored(&self) -> bool {
        true
    }

    fn poll_flush(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.asked.push("flush".to_owned());
        Poll::Ready(Ok(()))
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.asked.push("shutdown".to_owned());
        Poll::Ready(Ok(()))
    }
}

/// Counts how often a task was woken.
#[derive(Default)]
struct WakeCount(AtomicUsize);

impl Wake for WakeCount {
    fn wake(self: Arc<Self>) {
        self.0.fetch_add(1, Ordering::SeqCst);
    }
}

/// A task with one connection, polled by hand.
struct Task<'n> {
    stream: HookedStream<&'n mut Recorder, Coalesce>,
    woken: Arc<WakeCount>,
    waker: Waker,
}

impl<'n> Task<'n> {
    fn new(recorder: &'n mut Recorder) -> Self {
        let woken = Arc::<WakeCount>::default();
        Task {
            stream: HookedStream::new(recorder, Coalesce::default()),
            waker: woken.clone().into(),
            woken,
        }
    }

    /// Polls, and gives how often that woke the task.
    fn poll<T>(
        &mut self,
        ask: impl FnOnce(
            Pin<&mut HookedStream<&'n mut Recorder, Coalesce>>,
            &mut Context<'_>,
        ) -> Poll<T>,
    ) -> (Poll<T>, usize) {
        let before = self.woken.0.load(Ordering::SeqCst);
        let polled = ask(
            Pin::new(&mut self.stream),
            &mut Context::from_waker(&self.waker),
        );
        (polled, self.woken.0.load(Ordering::SeqCst) - before)
    }

    fn write(&mut self, text: &str) -> (Poll<io::Result<usize>>, usize) {
        self.poll(|stream, context| stream.poll_write(context, text.as_bytes()))
    }

    /// The write waits for its turn: it asks to be polled again, once, and nothing else will have to.
    #[track_caller]
    fn waits(&mut self, text: &str) {
        let (polled, woken) = self.write(text);
        assert!(polled.is_pending());
        assert_eq!(woken, 1);
    }

    #[track_caller]
    fn writes(&mut self, text: &str) {
        let (polled, woken) = self.write(text);
        assert!(matches!(polled, Poll::Ready(Ok(count)) if count == text.len()));
        assert_eq!(woken, 0);
    }
}

#[test]
fn each_write_waits_for_one_turn_and_then_goes_out() {
    let mut recorder = Recorder::default();
    let mut task = Task::new(&mut recorder);
    for text in ["one", "two", "three"] {
        task.waits(text);
        task.writes(text);
    }
    assert_eq!(recorder.asked, ["write one", "write two", "write three"]);
}

#[test]
fn pieces_wait_and_go_out_in_one_as_well() {
    let mut recorder = Recorder::default();
    let mut task = Task::new(&mut recorder);
    assert!(task.stream.is_write_vectored());
    let pieces = [IoSlice::new(b"head"), IoSlice::new(b"body")];
    let (polled, woken) = task.poll(|stream, context| stream.poll_write_vectored(context, &pieces));
    assert!(polled.is_pending() && woken == 1);
    let (polled, woken) = task.poll(|stream, context| stream.poll_write_vectored(context, &pieces));
    assert!(matches!(polled, Poll::Ready(Ok(9))) && woken == 0);
    task.waits("next");
    assert_eq!(recorder.asked, ["pieces head+body"]);
}

#[test]
fn a_stream_that_can_take_nothing_yet_costs_no_second_turn() {
    let mut recorder = Recorder::default();
    recorder.answers.extend([Poll::Pending, Poll::Pending]);
    let mut task = Task::new(&mut recorder);
    task.waits("one");
    for _ in 0..2 {
        // the stream itself wakes the task when it can
        let (polled, woken) = task.write("one");
        assert!(polled.is_pending() && woken == 0);
    }
    task.writes("one");
    task.waits("two");
    assert_eq!(recorder.asked, ["write one"; 3]);
}

#[test]
fn a_write_that_is_taken_in_part_is_told_so() {
    let mut recorder = Recorder::default();
    recorder.answers.push_back(Poll::Ready(Ok(2)));
    let mut task = Task::new(&mut recorder);
    task.waits("three");
    assert!(matches!(task.write("three").0, Poll::Ready(Ok(2))));
    task.waits("ree");
    task.writes("ree");
    assert_eq!(recorder.asked, ["write three", "write ree"]);
}

#[test]
fn an_error_is_passed_on_and_the_next_write_is_tried_again() {
    let mut recorder = Recorder::default();
    let broken = io::Error::from(io::ErrorKind::BrokenPipe);
    recorder.answers.push_back(Poll::Ready(Err(broken)));
    let mut task = Task::new(&mut recorder);
    task.waits("one");
    match task.write("one").0 {
        Poll::Ready(Err(error)) => assert_eq!(error.kind(), io::ErrorKind::BrokenPipe),
        other => panic!("{other:?}"),
    }
    task.waits("two");
    task.writes("two");
}

#[test]
fn reading_flushing_and_ending_wait_for_nothing_also_beside_a_waiting_write() {
    let mut recorder = Recorder::default();
    let mut task = Task::new(&mut recorder);
    let others = |task: &mut Task<'_>| {
        let mut bytes = [0; 8];
        let mut into = ReadBuf::new(&mut bytes);
        let (polled, woken) = task.poll(|stream, context| stream.poll_read(context, &mut into));
        assert!(matches!(polled, Poll::Ready(Ok(()))) && woken == 0);
        assert_eq!(into.filled(), b"sent");
        let (polled, woken) = task.poll(AsyncWrite::poll_flush);
        assert!(matches!(polled, Poll::Ready(Ok(()))) && woken == 0);
        let (polled, woken) = task.poll(AsyncWrite::poll_shutdown);
        assert!(matches!(polled, Poll::Ready(Ok(()))) && woken == 0);
    };
    others(&mut task);
    task.waits("one");
    others(&mut task);
    task.writes("one");
    let others = ["read", "flush", "shutdown"];
    assert_eq!(recorder.asked[..3], others);
    assert_eq!(recorder.asked[3..6], others);
    assert_eq!(recorder.asked[6..], ["write one"]);
}

/// On a scheduler of one thread: who is ready does its work before the first answer goes out, and all answers
/// go out without anything else happening.
#[test]
fn whoever_is_ready_works_before_the_first_answer_goes_out() {
    type Diary = std::rc::Rc<std::cell::RefCell<Vec<String>>>;
    let diary = Diary::default();
    let runtime = tokio::runtime::Builder::new_current_thread().build();
    let runtime = runtime.expect("a runtime");
    let tasks = tokio::task::LocalSet::new();
    for name in ["a", "b", "c"] {
        let diary = diary.clone();
        tasks.spawn_local(async move {
            diary.borrow_mut().push(format!("{name} works"));
            let mut recorder = Recorder::default();
            let mut stream = HookedStream::new(&mut recorder, Coalesce::default());
            let sent = std::future::poll_fn(|context| {
                Pin::new(&mut stream).poll_write(context, name.as_bytes())
            });
            assert_eq!(sent.await.expect("it is taken"), 1);
            assert_eq!(recorder.asked, [format!("write {name}")]);
            diary.borrow_mut().push(format!("{name} answers"));
        });
    }
    runtime.block_on(tasks);
    let diary = diary.borrow().join(", ");
    let meant = "a works, b works, c works, a answers, b answers, c answers";
    assert_eq!(diary, meant);
}
