//! Letters that were given up, in the figure that tells of them.

use crate::webhook_receiver::told;
use crate::webhook_service::{Hooked, QUICK};
use metrics::{
    Counter, Gauge, Histogram, Key, KeyName, LocalRecorderGuard, Metadata, Recorder, SharedString,
    Unit,
};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// The figure of dead letters, as what is done on one thread counts it: a story that listens has but its own.
#[derive(Default)]
pub(crate) struct DeadLetters(Arc<AtomicU64>);

impl DeadLetters {
    /// Listens on this thread for as long as this is kept.
    pub(crate) fn listen(&self) -> LocalRecorderGuard<'_> {
        metrics::set_default_local_recorder(self)
    }

    pub(crate) fn count(&self) -> u64 {
        self.0.load(Ordering::SeqCst)
    }
}

impl Recorder for DeadLetters {
    fn describe_counter(&self, _: KeyName, _: Option<Unit>, _: SharedString) {}

    fn describe_gauge(&self, _: KeyName, _: Option<Unit>, _: SharedString) {}

    fn describe_histogram(&self, _: KeyName, _: Option<Unit>, _: SharedString) {}

    fn register_counter(&self, key: &Key, _: &Metadata<'_>) -> Counter {
        if key.name() == "fieldstone_dead_letters_total" {
            Counter::from_arc(self.0.clone())
        } else {
            Counter::noop()
        }
    }

    fn register_gauge(&self, _: &Key, _: &Metadata<'_>) -> Gauge {
        Gauge::noop()
    }

    fn register_histogram(&self, _: &Key, _: &Metadata<'_>) -> Histogram {
        Histogram::noop()
    }
}

#[tokio::test]
async fn a_letter_that_is_given_up_is_counted_once_and_none_that_arrives_at_last() {
    let dead = DeadLetters::default();
    let _listening = dead.listen();
    let hooked = Hooked::start(QUICK).await;
    hooked.receiver.answer(&[500, 503, 204, 500, 503, 404]);
    hooked.webhook().await;
    hooked.create("Riga").await;
    hooked.receiver.letters(3).await;
    assert_eq!(dead.count(), 0);
    hooked.create("Bonn").await;
    hooked.receiver.letters(6).await;
    hooked.create("Oslo").await;
    // it is sent when what became of the one before is noted
    let letters = hooked.receiver.letters(7).await;
    assert_eq!(told(&letters[6..]), ["create Oslo"]);
    assert_eq!(dead.count(), 1);
    hooked.close().await;
}

#[tokio::test]
async fn a_change_that_can_be_sent_to_nobody_is_counted_as_given_up() {
    let dead = DeadLetters::default();
    let _listening = dead.listen();
    let hooked = Hooked::start(QUICK).await;
    let hook = hooked.webhook().await;
    hooked.switch(&hook, false).await;
    hooked.create("Riga").await;
    hooked.create("Bonn").await;
    hooked.spoil_change_of("Riga");
    hooked.switch(&hook, true).await;
    let letters = hooked.receiver.letters(1).await;
    assert_eq!(told(&letters), ["create Bonn"]);
    assert_eq!(dead.count(), 1);
    hooked.close().await;
}
