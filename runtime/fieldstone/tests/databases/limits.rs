//! Limits hold for all servers of one database together: what is used up at one is used up at every other one. `quotas` are told
//! beside it.

use crate::place::Place;
use crate::support::{Response, Server};
use serde_json::json;
use service::search::WAIT_MAX;
use std::time::{Duration, Instant};

pub(crate) const PASSWORD: &str = "correct horse battery";
/// Tries at one account from one place, as the documentation tells.
const TRIES: usize = 10;
/// Those from one place at all accounts, and the seconds after which there is one more.
const TRIES_OF_ADDRESS: usize = 30;
const SECONDS_EACH: u64 = 10;

pub(crate) fn sign_in(server: &Server, name: &str, password: &str) -> Response {
    let body = json!({"username": name, "password": password, "token": true});
    server.send("POST", "", "/admin/api/v1/sessions", &body.to_string())
}

/// Guesses at many accounts, fewer at each than there are tries, at one server after the other: how many were looked at, and
/// how many each server refused.
fn guess_at_many_accounts(servers: [&Server; 3]) -> (usize, [usize; 3]) {
    const ACCOUNTS: usize = 12;
    let (mut looked_at, mut refused) = (0, [0; 3]);
    for number in 0..ACCOUNTS * TRIES / 2 {
        let (at, name) = (number % 3, format!("guessed{}", number % ACCOUNTS));
        let answer = sign_in(servers[at], &name, "a wrong password");
        match answer.status {
            401 => looked_at += 1,
            429 => {
                refused[at] += 1;
                let seconds = answer.header("retry-after").expect("a time");
                let seconds: u64 = seconds.parse().expect("seconds");
                assert!((1..=SECONDS_EACH).contains(&seconds), "{seconds}");
            }
            status => panic!("guess {number}: {status}: {}", answer.body),
        }
    }
    (looked_at, refused)
}

pub(crate) fn guesses_at_one_server_count_at_every_other_one() {
    let place = Place::new();
    place.company();
    let (one, other) = (place.serve("one", &[]), place.serve("other", &[]));
    std::fs::write(place.path().join("password"), PASSWORD).expect("written");
    for name in ["berta", "carla"] {
        let email = format!("{name}@example.com");
        let create = ["user", "create", name, "--email", &email];
        let role = ["--role", "MEMBER", "--password-file", "password"];
        place.json(&[&create[..], &role].concat());
    }
    // a right one costs nothing, wherever it is shown
    for _ in 0..TRIES {
        for server in [&one, &other] {
            let answer = sign_in(server, "carla", PASSWORD);
            assert_eq!(answer.status, 200, "{}", answer.body);
        }
    }
    let began = Instant::now();
    for number in 0..TRIES {
        let server = [&one, &other][number % 2];
        let answer = sign_in(server, "berta", "a wrong password");
        assert_eq!(answer.status, 401, "try {number}: {}", answer.body);
    }
    for server in [&one, &other] {
        for password in ["a wrong password", PASSWORD] {
            let answer = sign_in(server, "berta", password);
            assert_eq!(answer.status, 429, "{}", answer.body);
            let seconds = answer.header("retry-after").expect("a time");
            let seconds: u64 = seconds.parse().expect("seconds");
            assert!((1..=60).contains(&seconds), "{seconds}");
        }
    }
    // a server that begins now knows of it, too
    let third = place.serve("third", &[]);
    assert_eq!(sign_in(&third, "berta", PASSWORD).status, 429);
    assert_eq!(sign_in(&third, "carla", PASSWORD).status, 200);
    // and one address has no more at any number of accounts, but for what came back meanwhile
    let (looked_at, refused) = guess_at_many_accounts([&one, &other, &third]);
    let came_back = began.elapsed().as_secs() / SECONDS_EACH + 1;
    let most = TRIES_OF_ADDRESS + usize::try_from(came_back).expect("a count");
    let tries = TRIES_OF_ADDRESS..=most;
    assert!(
        tries.contains(&(TRIES + looked_at)),
        "{looked_at}, {tries:?}"
    );
    assert!(refused.iter().all(|count| *count > 0), "{refused:?}");
}

/// The code that an authenticator with this secret shows so many seconds from now.
fn code(secret: &str, later: u64) -> String {
    let secret = totp_rs::Secret::try_from_base32(secret).expect("base 32");
    let made = totp_rs::Builder::new().with_secret(secret).build();
    let now = std::time::UNIX_EPOCH.elapsed().expect("after 1970");
    let made = made.expect("a good secret");
    made.generate(now.as_secs() + later).to_string()
}

pub(crate) fn codes_that_are_guessed_at_one_server_count_at_every_other_one() {
    const OWN: &str = "/admin/api/v1/session/second-factor";
    let place = Place::new();
    place.company();
    let (one, other) = (place.serve("one", &[]), place.serve("other", &[]));
    std::fs::write(place.path().join("password"), PASSWORD).expect("written");
    let create = ["user", "create", "berta", "--email", "berta@example.com"];
    let role = ["--role", "MEMBER", "--password-file", "password"];
    place.json(&[&create[..], &role].concat());
    let session = sign_in(&one, "berta", PASSWORD).json();
    let session = session["token"].as_str().expect("a token");
    let begun = one.send("POST", session, OWN, "").json();
    let secret = begun["secret"].as_str().expect("a secret");
    let body = json!({"code": code(secret, 0)}).to_string();
    let confirmed = other.send("POST", session, &format!("{OWN}/confirm"), &body);
    assert_eq!(confirmed.status, 200, "{}", confirmed.body);
    let enter = |server: &Server, code: &str| {
        let body = json!({"username": "berta", "password": PASSWORD, "code": code, "token": true});
        server.send("POST", "", "/admin/api/v1/sessions", &body.to_string())
    };
    // none that is right by now, or soon
    let right = [0, 30, 60, 90].map(|later| code(secret, later));
    let mut guesses = (0..).map(|guess| format!("{guess:06}"));
    let mut guess = || {
        let guess = guesses.find(|guess| !right.contains(guess));
        guess.expect("there are more")
    };
    for number in 0..TRIES {
        let answer = enter([&one, &other][number % 2], &guess());
        assert_eq!(answer.status, 401, "try {number}: {}", answer.body);
    }
    // a server that begins now knows of them, too
    let third = place.serve("third", &[]);
    for server in [&one, &other, &third] {
        for shown in [guess(), code(secret, 0), code(secret, 30)] {
            let answer = enter(server, &shown);
            assert_eq!(answer.status, 429, "{}", answer.body);
            assert!(answer.header("retry-after").is_some(), "{}", answer.head);
        }
    }
}

pub(crate) fn a_search_ends_after_the_seconds_of_the_flag() {
    let place = Place::new();
    let key = place.company();
    let server = place.serve("one", &["--search-seconds=1"]);
    let search = || {
        let began = Instant::now();
        let found = server.get(&key, "/v1/dataobjects/search?query=Delft");
        (found, began.elapsed())
    };
    assert_eq!(search().0.json()["total"], 1);
    // nobody reads the words meanwhile
    let held = place.hold("LOCK TABLE search_words IN ACCESS EXCLUSIVE MODE");
    let (ended, took) = search();
    assert_eq!(ended.status, 503, "{}", ended.body);
    assert!(ended.header("retry-after").is_some(), "{}", ended.head);
    // sooner than the time that is the default
    let limits = Duration::from_millis(900)..WAIT_MAX;
    assert!(limits.contains(&took), "{took:?}");
    drop(held);
    assert_eq!(search().0.json()["total"], 1);
    server.stop();
}

pub(crate) fn requests_a_second_are_those_of_all_servers() {
    // a machine that does much else answers more than that
    const PER_SECOND: u32 = 20;
    /// What servers may have taken for themselves: a twentieth of a second's requests each.
    const TAKEN: u32 = 2 * PER_SECOND / 20;
    let place = Place::new();
    let key = place.company();
    let limit = ["--requests-per-second-max", &PER_SECOND.to_string()];
    let servers = [place.serve("one", &limit), place.serve("other", &limit)];
    let (began, length) = (Instant::now(), Duration::from_secs(3));
    let counts = std::thread::scope(|scope| {
        let asked: Vec<_> = (0..6)
            .map(|asker| {
                let (server, key) = (&servers[asker % 2], &key);
                scope.spawn(move || {
                    let (mut done, mut refused) = (0, 0);
                    while began.elapsed() < length {
                        let answer = server.get(key, "/v1/my/businessareas");
                        match answer.status {
                            200 => done += 1,
                            429 => refused += 1,
                            status => panic!("{status}: {}", answer.body),
                        }
                        std::thread::sleep(Duration::from_millis(2));
                    }
                    (done, refused)
                })
            })
            .collect();
        let ended = asked
            .into_iter()
            .map(|asked| asked.join().expect("answers"));
        ended.fold((0_u32, 0_u32), |all, one| (all.0 + one.0, all.1 + one.1))
    });
    let seconds = u32::try_from(began.elapsed().as_millis()).expect("seconds") / 1000 + 1;
    let most = PER_SECOND * (1 + seconds) + TAKEN;
    assert!(counts.0 <= most, "{counts:?}, and {most} at most");
    // it is no less either: what all of them may ask is given out
    assert!(counts.0 >= PER_SECOND * 3, "{counts:?}");
    assert!(counts.1 > 0, "{counts:?}");
    // what one of them had no use for is there again
    std::thread::sleep(Duration::from_millis(1500));
    for _ in 0..PER_SECOND / 2 {
        assert_eq!(servers[0].get(&key, "/v1/my/businessareas").status, 200);
    }
}
