//! Webhooks of a service that runs: signed, in order, tried again, given up and sent once more, switched off.
//! runtime/docs/webhooks.md.

use crate::watched_server::{City, city};
use crate::webhook_receiver::{Receiver, header, told};
use crate::webhook_service::{Home, Hooked, QUICK, content, open, switched_off, webhook};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use hmac::{Hmac, KeyInit as _, Mac as _};
use runtime::service::manage::{AuditFilter, WebhookContent};
use runtime::service::webhooks::WebhookSettings;
use runtime::service::{PageRequest, Refusal};
use std::time::Duration;

#[tokio::test(flavor = "multi_thread")]
async fn changes_are_sent_signed_and_in_order_from_when_the_webhook_was_made() {
    let hooked = Hooked::start(QUICK).await;
    hooked.create("before").await;
    let made = webhook(&hooked.embedded, &hooked.url).await;
    for name in ["Riga", "Bonn"] {
        hooked.create(name).await;
        hooked
            .receiver
            .letters(if name == "Riga" { 1 } else { 2 })
            .await;
    }
    let letters = hooked.receiver.letters(2).await;
    assert_eq!(told(&letters), ["create Riga", "create Bonn"]);
    let key = STANDARD.decode(made.secret.strip_prefix("whsec_").expect("a prefix"));
    for letter in &letters {
        let signed = format!(
            "{}.{}.{}",
            header(letter, "webhook-id"),
            header(letter, "webhook-timestamp"),
            letter.1
        );
        let mut mac =
            Hmac::<sha2::Sha256>::new_from_slice(key.as_ref().expect("base64")).expect("a key");
        mac.update(signed.as_bytes());
        let meant = format!("v1,{}", STANDARD.encode(mac.finalize().into_bytes()));
        assert_eq!(header(letter, "webhook-signature"), meant);
    }
    assert_ne!(
        header(&letters[0], "webhook-id"),
        header(&letters[1], "webhook-id")
    );
    // no secret stands in the trail or in what is shown
    let (service, by) = hooked.operator();
    let trail = service
        .audit_trail(&by, &AuditFilter::default(), &PageRequest::default())
        .await;
    let trail = trail.expect("a page").into_page();
    let trail = serde_json::to_string(&trail).expect("JSON");
    assert!(
        trail.contains("webhook") && !trail.contains("whsec_"),
        "{trail}"
    );
    hooked.embedded.close().await.expect("closed");
    // what changes meanwhile is sent when there is a service again
    drop(hooked.cities);
    let (embedded, cities) = open(&hooked.home, QUICK, true).await;
    cities.create(&city("Oslo")).await.expect("created");
    let mut letters = hooked.receiver.letters(3).await;
    // where the stop came before the note that the last one arrived, that comes again
    if header(&letters[2], "webhook-id") == header(&letters[1], "webhook-id") {
        letters = hooked.receiver.letters(4).await;
        letters.remove(2);
    }
    assert_eq!(told(&letters[2..]), ["create Oslo"]);
    embedded.close().await.expect("closed");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_does_not_arrive_is_sent_again_under_its_id_and_nothing_overtakes_it() {
    let hooked = Hooked::start(QUICK).await;
    // a redirect is not followed
    hooked.receiver.answer(&[500, 302]);
    webhook(&hooked.embedded, &hooked.url).await;
    hooked.create("Riga").await;
    hooked.receiver.letters(1).await;
    hooked.create("Bonn").await;
    let letters = hooked.receiver.letters(4).await;
    let meant = ["create Riga", "create Riga", "create Riga", "create Bonn"];
    assert_eq!(told(&letters), meant);
    let ids: Vec<_> = letters.iter().map(|it| header(it, "webhook-id")).collect();
    assert!(
        ids[0] == ids[1] && ids[1] == ids[2] && ids[2] != ids[3],
        "{ids:?}"
    );
    hooked.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_tried_in_vain_is_put_aside_and_can_be_sent_once_more() {
    let hooked = Hooked::start(QUICK).await;
    hooked.receiver.answer(&[500, 503, 404]);
    let hook = hooked.webhook().await;
    hooked.create("Riga").await;
    hooked.receiver.letters(3).await;
    hooked.create("Bonn").await;
    let letters = hooked.receiver.letters(4).await;
    assert_eq!(told(&letters[3..]), ["create Bonn"]);
    let (service, by) = hooked.operator();
    let first = PageRequest::default();
    let list = || service.dead_letters(&by, &hook, &first);
    let dead = list().await.expect("a page").items;
    assert_eq!(
        (dead.len(), dead[0].changes, &dead[0].error[..]),
        (1, 1, "it answered 404")
    );
    let number = dead[0].number.to_string();
    hooked.receiver.answer(&[500]);
    let refused = service.resend(&by, &hook, &number).await;
    assert!(matches!(refused, Err(Refusal::Conflict(_))), "{refused:?}");
    service
        .resend(&by, &hook, &number)
        .await
        .expect("it arrives");
    assert_eq!(
        told(&hooked.receiver.letters(6).await[5..]),
        ["create Riga"]
    );
    assert!(list().await.expect("a page").items.is_empty());
    assert!(matches!(
        service.resend(&by, &hook, &number).await,
        Err(Refusal::NotFound(_))
    ));
    hooked.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_change_that_a_disk_spoiled_is_put_aside_and_stops_no_webhook() {
    let hooked = Hooked::start(QUICK).await;
    let more = hooked.embedded.register::<City>("Places", "More").await;
    let more = more.expect("it fits");
    let hook = hooked.webhook().await;
    let (service, by) = hooked.operator();
    hooked.switch(&hook, false).await;
    // between two of another dataset, which are both told
    more.create(&city("Oslo")).await.expect("created");
    hooked.create("Riga").await;
    more.create(&city("Kyiv")).await.expect("created");
    hooked.create("Bonn").await;
    hooked.spoil_change_of("Riga");
    hooked.switch(&hook, true).await;
    let letters = hooked.receiver.letters(3).await;
    assert_eq!(
        told(&letters),
        ["create Oslo", "create Kyiv", "create Bonn"]
    );
    let first = PageRequest::default();
    let dead = service.dead_letters(&by, &hook, &first).await;
    let dead = dead.expect("a page").items;
    assert_eq!((dead.len(), dead[0].changes), (1, 1));
    assert!(dead[0].error.contains("not as it was written"), "{dead:?}");
    let number = dead[0].number.to_string();
    let refused = service.resend(&by, &hook, &number).await;
    assert!(matches!(refused, Err(Refusal::Conflict(_))), "{refused:?}");
    hooked.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn one_at_which_nothing_arrives_is_switched_off_and_the_trail_tells_of_it() {
    let hooked = Hooked::start(WebhookSettings {
        dead_after: Duration::ZERO,
        ..QUICK
    })
    .await;
    hooked.receiver.answer(&[500; 100]);
    let hook = hooked.webhook().await;
    hooked.create("Riga").await;
    switched_off(&hooked.embedded, &hook).await;
    let (service, by) = hooked.operator();
    let trail = service
        .audit_trail(&by, &AuditFilter::default(), &PageRequest::default())
        .await
        .expect("a page");
    let newest = &trail.items[0].entry;
    assert_eq!((&newest.id, &newest.actor.name[..]), (&hook, "webhooks"));
    // switched on again, it goes on where it was
    hooked.receiver.answers.lock().expect("no panic").clear();
    let came = hooked.receiver.came.lock().expect("no panic").len();
    service
        .webhooks()
        .set_active(&by, &hook, true)
        .await
        .expect("switched on");
    assert_eq!(
        told(&hooked.receiver.letters(came + 1).await[came..]),
        ["create Riga"]
    );
    // who lives there wants no more
    hooked.receiver.answer(&[410]);
    hooked.create("Bonn").await;
    switched_off(&hooked.embedded, &hook).await;
    hooked.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_letter_gets_all_its_tries_however_long_nothing_arrived() {
    let hooked = Hooked::start(WebhookSettings {
        dead_after: Duration::ZERO,
        ..QUICK
    })
    .await;
    hooked.receiver.answer(&[500, 500]);
    let hook = hooked.webhook().await;
    hooked.create("Riga").await;
    assert_eq!(told(&hooked.receiver.letters(3).await), ["create Riga"; 3]);
    hooked.create("Oslo").await;
    assert_eq!(hooked.receiver.letters(4).await.len(), 4);
    assert!(hooked.embedded.service().store().catalog().webhooks[&hook].active);
    hooked.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_address_within_ones_own_networks_is_not_connected_to_whatever_its_name() {
    let home = Home::new();
    let (embedded, cities) = open(&home, QUICK, false).await;
    let (receiver, url) = Receiver::start().await;
    let port = url.rsplit(':').next().expect("a port").to_owned();
    for (number, host) in ["127.0.0.1", "localhost", "[::ffff:127.0.0.1]"]
        .iter()
        .enumerate()
    {
        let by = embedded.caller().expect("the operator");
        let new = WebhookContent {
            name: format!("hook {number}"),
            ..content(&embedded, &format!("https://{host}:{port}"))
        };
        let made = embedded
            .service()
            .webhooks()
            .mint(&by, new)
            .await
            .expect("a webhook");
        cities.create(&city(host)).await.expect("created");
        let failing = async {
            loop {
                let found = embedded
                    .service()
                    .webhook_delivery(&by, &made.noun.id)
                    .await;
                if let Some(error) = found.expect("it is there").error {
                    return error;
                }
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
        };
        let error = tokio::time::timeout(Duration::from_secs(60), failing)
            .await
            .expect("it fails");
        assert!(
            error.contains("not of the public network"),
            "{host}: {error}"
        );
    }
    assert!(receiver.came.lock().expect("no panic").is_empty());
    embedded.close().await.expect("closed");
}
