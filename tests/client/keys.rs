//! Primary keys of every shape, through the address of the look-up and back.

use crate::watched_server::{WatchedServer, city};

#[tokio::test]
async fn a_key_of_any_shape_is_found_again_over_http_and_in_process() {
    let server = WatchedServer::start().await;
    let over_http = server.cities().await;
    let in_process = server.in_process(&over_http);
    let long = "é".repeat(150);
    let keys = [
        "Rome",
        "rome",
        "New York",
        "a/b",
        "/",
        "a//b/",
        "50%",
        "%2F",
        "%",
        "a+b",
        "a%20b",
        "?",
        "#x",
        "a?b=c&d#e",
        ".",
        "..",
        "...",
        "./..",
        "\\",
        "\"",
        "'",
        ";v=1",
        "München",
        "Mu\u{308}nchen",
        "東京",
        "🏙",
        "a\u{a0}b",
        "a\tb",
        "a\nb",
        "a\r\nb",
        "\u{7f}",
        "~-._!$&'()*,:@",
        "by-pk",
        &long,
    ];
    for key in keys {
        over_http.create(&city(key)).await.unwrap();
    }
    for dataset in [&over_http, &in_process] {
        for key in keys {
            let found = dataset.get(key).await.unwrap();
            let found = found.unwrap_or_else(|| panic!("{key:?} is not found"));
            assert_eq!(found.record.clean().unwrap().name, key);
            let padded = dataset.get(&format!("\u{2003} {key}\n")).await.unwrap();
            assert_eq!(
                padded.map(|stored| stored.id),
                Some(found.id),
                "{key:?} with blanks around"
            );
        }
        for absent in [
            "",
            " ",
            "ROME",
            "a/",
            "%25",
            "....",
            "M\u{fc}nchen ü",
            &"x".repeat(2000),
        ] {
            assert!(dataset.get(absent).await.unwrap().is_none(), "{absent:?}");
        }
    }
}
