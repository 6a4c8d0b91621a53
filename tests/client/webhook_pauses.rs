//! Webhooks whose pauses are long: what puts nothing off any more, so that what waits is tried at once. What is changed while it is tried
//! is tried as it is by then.

use crate::webhook_clock::failed;
use crate::webhook_receiver::told;
use crate::webhook_service::{Hooked, content};
use runtime::embed::Embedded;
use runtime::service::PageRequest;
use runtime::service::manage::DeliveryView;
use runtime::service::webhooks::WebhookSettings;
use std::time::Duration;

const HOUR: Duration = Duration::from_secs(3600);
/// Longer than any story.
const SLOW: WebhookSettings = WebhookSettings {
    first_pause: HOUR,
    pause_max: HOUR,
    tries_max: 3,
    dead_after: Duration::from_secs(5 * 24 * 3600),
};

async fn delivery(embedded: &Embedded, hook: &str) -> DeliveryView {
    let by = embedded.caller().expect("the operator");
    let delivery = embedded.service().webhook_delivery(&by, hook).await;
    delivery.expect("it is there")
}

#[tokio::test(flavor = "multi_thread")]
async fn what_follows_a_letter_that_was_given_up_is_not_put_off_by_it() {
    let hooked = Hooked::start(WebhookSettings {
        tries_max: 1,
        ..SLOW
    })
    .await;
    hooked.receiver.answer(&[500]);
    let hook = hooked.webhook().await;
    hooked.create("Riga").await;
    hooked.receiver.letters(1).await;
    hooked.create("Bonn").await;
    let letters = hooked.receiver.letters(2).await;
    assert_eq!(told(&letters), ["create Riga", "create Bonn"]);
    assert_eq!(delivery(&hooked.embedded, &hook).await.next_try_at, None);
    hooked.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_webhook_that_is_switched_on_gets_another_address_or_is_resent_to_is_tried_at_once() {
    let hooked = Hooked::start(SLOW).await;
    hooked.receiver.answer(&[500; 4]);
    let hook = hooked.webhook().await;
    let (service, by) = hooked.operator();
    hooked.create("Riga").await;
    failed(&hooked.embedded, &hook, 1).await;
    assert!(
        delivery(&hooked.embedded, &hook)
            .await
            .next_try_at
            .is_some()
    );

    for on in [false, true] {
        let done = service.webhooks().set_active(&by, &hook, on).await;
        done.expect("switched");
        if !on {
            assert_eq!(delivery(&hooked.embedded, &hook).await.next_try_at, None);
        }
    }
    failed(&hooked.embedded, &hook, 2).await;

    let elsewhere = content(&hooked.embedded, &format!("{}?elsewhere", hooked.url));
    let done = service.webhooks().update(&by, &hook, elsewhere).await;
    done.expect("changed");
    // the third try was the last one
    failed(&hooked.embedded, &hook, 0).await;

    hooked.create("Bonn").await;
    failed(&hooked.embedded, &hook, 1).await;
    let first = PageRequest::default();
    let dead = service.dead_letters(&by, &hook, &first).await;
    let number = dead.expect("a page").items[0].number.to_string();
    let resent = service.resend(&by, &hook, &number).await;
    resent.expect("it arrives");
    let letters = hooked.receiver.letters(6).await;
    let riga = ["create Riga"; 3];
    assert_eq!(told(&letters[..3]), riga);
    let rest = ["create Bonn", "create Riga", "create Bonn"];
    assert_eq!(told(&letters[3..]), rest);
    let fares = delivery(&hooked.embedded, &hook).await;
    assert!(fares.delivered_at.is_some() && fares.failing_since.is_none());
    hooked.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_webhook_that_gets_another_address_while_the_one_before_wants_no_more_stays_on() {
    let hooked = Hooked::start(SLOW).await;
    hooked.receiver.silent(true);
    hooked.receiver.answer(&[410]);
    let hook = hooked.webhook().await;
    hooked.create("Riga").await;
    hooked.receiver.letters(1).await;
    let (service, by) = hooked.operator();
    let elsewhere = content(&hooked.embedded, &format!("{}?elsewhere", hooked.url));
    let changed = service.webhooks().update(&by, &hook, elsewhere).await;
    changed.expect("changed");
    hooked.receiver.silent(false);
    let letters = hooked.receiver.letters(2).await;
    assert_eq!(told(&letters), ["create Riga"; 2]);
    assert!(service.store().catalog().webhooks[&hook].active);
    hooked.close().await;
}
