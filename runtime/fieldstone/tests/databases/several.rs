//! Several servers on one database: whatever one has done, the others know with the next request.

use crate::cities::cities;
use crate::museum::{hall, link};
use crate::place::Place;
use crate::support::Server;
use serde_json::json;

pub(crate) fn what_one_server_takes_away_holds_on_the_next_request_of_another() {
    let place = Place::new();
    let key = place.company();
    let (one, other) = (place.serve("one", &[]), place.serve("other", &[]));
    let root = place.root();
    let keys = place.json(&["key", "list"]);
    let mut items = keys.as_array().expect("keys").iter();
    let crm = items.find(|key| key["name"] == "crm").expect("the key");
    let crm = crm["id"].as_str().expect("an id");
    let path = format!("/admin/api/v1/api-keys/{crm}");
    let mut content = one.get(&root, &path).json();
    let content = json!({"name": "crm", "active": true, "roles": content["roles"].take(), "grants": content["grants"].take()});
    for round in 0..20 {
        let (here, there) = if round % 2 == 0 {
            (&one, &other)
        } else {
            (&other, &one)
        };
        for (active, status) in [(false, 401), (true, 200)] {
            let mut content = content.clone();
            content["active"] = active.into();
            let changed = here.send("PUT", &root, &path, &content.to_string());
            assert_eq!(changed.status, 200, "{}", changed.body);
            let answer = there.get(&key, "/v1/my/businessareas");
            assert_eq!(answer.status, status, "round {round}: {}", answer.body);
        }
    }
}

pub(crate) fn one_of_those_who_create_a_key_on_two_servers_wins() {
    let place = Place::new();
    let key = place.company();
    let (one, other) = (place.serve("one", &[]), place.serve("other", &[]));
    let records = cities(&one, &key);
    for round in 0..20 {
        let body = json!({"Name": format!("City {round}")}).to_string();
        let statuses = std::thread::scope(|scope| {
            let servers = [&one, &other, &one, &other, &one, &other];
            let asked = servers.map(|server| {
                let (body, key, records) = (&body, &key, &records);
                scope.spawn(move || server.send("POST", key, records, body).status)
            });
            asked.map(|asked| asked.join().expect("an answer"))
        });
        let count = |status| statuses.iter().filter(|it| **it == status).count();
        assert_eq!(
            (count(201), count(400)),
            (1, 5),
            "round {round}: {statuses:?}"
        );
        let path = format!("{records}/by-pk/City%20{round}");
        for server in [&one, &other] {
            let read = server.get(&key, &path);
            assert_eq!(read.status, 200, "round {round}: {}", read.body);
        }
    }
    let dataset = place.run(&["check"]);
    assert!(dataset.status.success(), "counters are exact");
}

/// What a search answers, asked once.
fn found(server: &Server, key: &str, query: &str) -> u64 {
    let found = server.get(key, &format!("/v1/dataobjects/search?query={query}"));
    assert_eq!(found.status, 200, "{query}: {}", found.body);
    let total = found.json()["total"].as_u64();
    total.unwrap_or_else(|| panic!("{query}: {}", found.body))
}

/// How many cities are in Germany, how many there are, and how many a search finds by the name of the new ones.
fn counts(server: &Server, key: &str, records: &str) -> [u64; 3] {
    let dataset = records.rsplit('/').nth(1).expect("a dataset");
    let ask = |what: &str| {
        let path = format!("/admin/api/v1/datasets/{dataset}/{what}");
        let counted = server.get(key, &path);
        assert_eq!(counted.status, 200, "{path}: {}", counted.body);
        counted.json()
    };
    // before what else would wait for the index
    let countries = ask("facets?field=Country");
    let values = countries["facets"][0]["values"].as_array();
    let germany = values.into_iter().flatten().find(|it| it["value"] == "DE");
    let germany = germany.and_then(|it| it["recordCount"].as_u64());
    let germany = germany.unwrap_or_else(|| panic!("{countries}"));
    let all = ask("faults");
    let all = all["recordCount"].as_u64();
    [germany, all.expect("a count"), found(server, key, "city")]
}

pub(crate) fn what_one_server_read_before_is_as_another_left_it() {
    let place = Place::new();
    let key = place.company();
    // a search waits for what was committed before it, on a machine that does much else, too
    let servers = ["one", "other"].map(|data| place.serve(data, &["--search-seconds", "600"]));
    let [one, other] = servers;
    let records = cities(&one, &key);
    let by_key = format!("{records}/by-pk/Delft");
    let page = format!("{records}?pageSize=1000");
    let names = |page: &serde_json::Value| page["items"].as_array().map(Vec::len);
    for round in 0..20 {
        let (here, there) = if round % 2 == 0 {
            (&one, &other)
        } else {
            (&other, &one)
        };
        // both have read it by now, in each way there is
        let (before, listed) = (
            here.get(&key, &by_key).json(),
            there.get(&key, &page).json(),
        );
        assert_eq!(there.get(&key, &by_key).json(), before, "round {round}");
        let counted = counts(there, &key, &records);
        let id = before["_dataObjectId"].as_str().expect("an id");
        let body = json!({"_version": before["_version"], "People": round});
        let changed = here.send("PUT", &key, &format!("{records}/{id}"), &body.to_string());
        assert_eq!(changed.status, 204, "round {round}: {}", changed.body);
        let changed = found(there, &key, &format!("People:{round}"));
        assert_eq!(changed, 1, "round {round}");
        let body = json!({"Name": format!("City {round}"), "Country": "DE"});
        let made = here.send("POST", &key, &records, &body.to_string());
        assert_eq!(made.status, 201, "round {round}: {}", made.body);
        let counted = counted.map(|count| count + 1);
        assert_eq!(counts(there, &key, &records), counted, "round {round}");
        let now = there.get(&key, &by_key).json();
        assert_eq!(now["People"], round, "round {round}: {now}");
        let (now, again) = (there.get(&key, &page).json(), here.get(&key, &page).json());
        assert_eq!(now, again, "round {round}");
        assert_eq!(names(&now), names(&listed).map(|count| count + 1), "{now}");
    }
}

pub(crate) fn what_one_server_signed_works_on_another() {
    let place = Place::new();
    // both begin on an empty store, and both make a secret
    let (one, other) = std::thread::scope(|scope| {
        let one = scope.spawn(|| place.serve("one", &[]));
        let other = scope.spawn(|| place.serve("other", &[]));
        (
            one.join().expect("it starts"),
            other.join().expect("it starts"),
        )
    });
    let key = place.company();
    let records = cities(&one, &key);
    // page keys
    let page = one.get(&key, &format!("{records}?pageSize=1")).json();
    let next = page["nextPageKey"].as_str();
    let next = next.unwrap_or_else(|| panic!("no page key: {page}"));
    let page = other.get(&key, &format!("{records}?pageSize=1&pageKey={next}"));
    assert_eq!(page.status, 200, "{}", page.body);
    // ids
    let id = page.json()["items"][0]["_dataObjectId"]
        .as_str()
        .expect("an id")
        .to_owned();
    let body = r#"{"_version": 0, "People": 5}"#;
    let changed = one.send("PUT", &key, &format!("{records}/{id}"), body);
    assert_eq!(changed.status, 204, "{}", changed.body);
    // a client's token
    let made = place.json(&[
        "client",
        "create",
        "fleet",
        "--role",
        "Clerk",
        "--area",
        "Places=view",
    ]);
    let (id, secret) = (&made["steps"][0]["id"], &made["steps"][0]["secret"]);
    let body = json!({"client_id": id, "client_secret": secret}).to_string();
    let token = one.send("POST", "", "/oauth2/token", &body);
    assert_eq!(token.status, 200, "{}", token.body);
    let token = token.json()["access_token"]
        .as_str()
        .expect("a token")
        .to_owned();
    assert_eq!(other.get(&token, "/v1/my/businessareas").status, 200);
    // a session
    std::fs::write(place.path().join("password"), "correct horse battery").expect("written");
    let create = [
        "user",
        "create",
        "berta",
        "--email",
        "berta@example.com",
        "--role",
        "ACCOUNT ADMINISTRATOR",
    ];
    place.json(&[&create[..], &["--password-file", "password"]].concat());
    let body = json!({"username": "berta", "password": "correct horse battery", "token": true});
    let session = one.send("POST", "", "/admin/api/v1/sessions", &body.to_string());
    let session = session.json();
    let session = session["token"]
        .as_str()
        .unwrap_or_else(|| panic!("{session}"));
    assert_eq!(other.get(session, "/admin/api/v1/api-keys").status, 200);
}

pub(crate) fn a_download_link_that_one_server_signed_is_followed_at_another() {
    let place = Place::new();
    let key = place.museum();
    let key = &*key;
    // one folder, as files ask for
    let (one, other) = (place.serve("files", &[]), place.serve("files", &[]));
    let hall = hall(&one, key);
    let sent = one.send_file(key, &format!("{hall}/files"), "by one of them");
    assert_eq!(sent.status, 201, "{}", sent.body);
    let id = sent.json()["fileId"].as_str().expect("an id").to_owned();
    let body = json!({"No": "1", "Paper": id}).to_string();
    let made = other.send("POST", key, &format!("{hall}/dataobjects"), &body);
    assert_eq!(made.status, 201, "{}", made.body);
    for (signed_by, followed_at) in [(&one, &other), (&other, &one)] {
        let path = link(signed_by, key);
        let paper = followed_at.get("", &path);
        assert_eq!(paper.status, 200, "{path}: {}", paper.body);
        assert_eq!(paper.body, "by one of them");
        let forged = path.replace("signature=", "signature=A");
        assert_eq!(followed_at.get("", &forged).status, 403, "{forged}");
    }
}

/// As replicas do that share a volume for uploaded files.
pub(crate) fn a_server_that_stops_leaves_what_another_of_the_same_folder_is_found_by() {
    let place = Place::new();
    let _ = place.company();
    let first = place.serve("data", &[]);
    let second = place.serve("data", &[]);
    let is_sound = || place.run(&["health"]).status.success();
    assert!(is_sound());
    first.stop();
    assert!(is_sound(), "the other one is there");
    second.stop();
    assert!(!is_sound(), "none is left");
    let left = std::fs::read_dir(place.path().join("data")).expect("the folder");
    let left = left
        .flatten()
        .map(|it| it.file_name().to_string_lossy().into_owned());
    let tokens: Vec<_> = left.filter(|name| name.contains("token")).collect();
    assert!(tokens.is_empty(), "{tokens:?}");
}
