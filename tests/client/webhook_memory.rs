//! A letter on its way has its memory in the service's budget.

use crate::webhook_service::{Hooked, QUICK};
use std::time::Duration;

/// Memory of most letters: the changes that are read, and their text.
const LETTER_BYTES: usize = 512 << 10;

#[tokio::test(flavor = "multi_thread")]
async fn a_letter_that_waits_for_its_answer_holds_its_part_of_the_memory_budget() {
    let hooked = Hooked::start(QUICK).await;
    hooked.receiver.silent(true);
    hooked.webhook().await;
    hooked.create("Riga").await;
    hooked.receiver.letters(1).await;
    let taken = || hooked.embedded.service().memory().taken();
    assert!(taken() >= LETTER_BYTES, "{}", taken());
    hooked.receiver.silent(false);
    let given_back = async {
        while taken() > 0 {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    tokio::time::timeout(Duration::from_secs(60), given_back)
        .await
        .expect("the memory is given back");
    hooked.close().await;
}
