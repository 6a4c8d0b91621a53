//! From where on a webhook is sent what: datasets that it gets and loses, and what a stop broke off.

use crate::watched_server::{City, city};
use crate::webhook_receiver::{header, told};
use crate::webhook_service::{Hooked, QUICK, content, open, webhook};
use runtime::embed::Embedded;
use runtime::service::manage::WebhookContent;

/// Gives a webhook these datasets, by their names, and switches it on or off.
async fn give(embedded: &Embedded, (hook, url): (&str, &str), names: &[&str], active: bool) {
    let (service, by) = (embedded.service(), embedded.caller().expect("the operator"));
    let catalog = service.store().catalog();
    let named = |name: &&str| {
        let mut all = catalog.datasets.values();
        let found = all.find(|dataset| dataset.name == **name);
        found.expect("a dataset").id.clone()
    };
    let content = WebhookContent {
        datasets: names.iter().map(named).collect(),
        active,
        ..content(embedded, url)
    };
    let done = service.webhooks().update(&by, hook, content).await;
    done.expect("changed");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_dataset_that_is_added_is_sent_from_then_on_while_changes_of_another_wait() {
    let hooked = Hooked::start(QUICK).await;
    let more = hooked.embedded.register::<City>("Places", "More").await;
    let more = more.expect("it fits");
    let hook = hooked.webhook().await;
    let hook = (&*hook, &*hooked.url);

    give(&hooked.embedded, hook, &["Cities"], false).await;
    more.create(&city("before")).await.expect("created");
    hooked.create("Riga").await;
    more.create(&city("between")).await.expect("created");
    give(&hooked.embedded, hook, &["Cities", "More"], true).await;
    more.create(&city("Oslo")).await.expect("created");
    let letters = hooked.receiver.letters(2).await;
    assert_eq!(told(&letters), ["create Riga", "create Oslo"]);

    // one that comes back begins anew, and one that stays goes on
    give(&hooked.embedded, hook, &["Cities"], false).await;
    hooked.create("Bonn").await;
    more.create(&city("away")).await.expect("created");
    give(&hooked.embedded, hook, &["More", "Cities"], true).await;
    more.create(&city("Kyiv")).await.expect("created");
    let letters = hooked.receiver.letters(4).await;
    assert_eq!(told(&letters[2..]), ["create Bonn", "create Kyiv"]);
    hooked.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_letter_that_a_stop_broke_off_comes_again_under_its_id_without_what_was_written_since() {
    let hooked = Hooked::start(QUICK).await;
    webhook(&hooked.embedded, &hooked.url).await;
    hooked.receiver.silent(true);
    hooked.create("Riga").await;
    hooked.receiver.letters(1).await;
    hooked.create("Bonn").await;
    hooked.embedded.close().await.expect("closed");
    hooked.receiver.silent(false);
    drop(hooked.cities);
    let (embedded, _cities) = open(&hooked.home, QUICK, true).await;
    let letters = hooked.receiver.letters(3).await;
    let meant = ["create Riga", "create Riga", "create Bonn"];
    assert_eq!(told(&letters), meant);
    let ids: Vec<_> = letters.iter().map(|it| header(it, "webhook-id")).collect();
    assert!(ids[0] == ids[1] && ids[1] != ids[2], "{ids:?}");
    embedded.close().await.expect("closed");
}
