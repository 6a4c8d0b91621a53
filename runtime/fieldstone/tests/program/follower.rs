//! Somebody who follows the cities of the small company, by their changes, their list and the letters of a webhook, while the
//! store is restored to a moment of before.

use crate::cities::cities;
use crate::receiver::{Letter, Receiver};
use crate::support::{Response, Server};
use serde_json::json;

/// Somebody who follows the cities.
pub(crate) struct Follower {
    key: String,
    records: String,
    receiver: Receiver,
    /// Where it was in the changes, the newest last.
    positions: Vec<String>,
    /// Where it was in the list.
    page_keys: Vec<String>,
    letters: Vec<Letter>,
}

impl Follower {
    /// Who begins to follow what a server has, by a key.
    pub(crate) fn of(server: &Server, key: &str, receiver: Receiver) -> Self {
        Follower {
            key: key.to_owned(),
            records: cities(server, key),
            receiver,
            positions: Vec::new(),
            page_keys: Vec::new(),
            letters: Vec::new(),
        }
    }

    /// Has a city made, and follows it: by a letter, by the changes, by the list.
    pub(crate) fn follow(&mut self, server: &Server, name: &str) {
        let body = json!({"Name": name}).to_string();
        let made = server.send("POST", &self.key, &self.records, &body);
        assert_eq!(made.status, 201, "{}", made.body);
        self.letters = self.receiver.hears_of(name);
        let text = |answer: Response, property: &str| {
            assert_eq!(answer.status, 200, "{}", answer.body);
            let text = answer.json()[property].as_str().map(str::to_owned);
            text.unwrap_or_else(|| panic!("no {property} in {}", answer.body))
        };
        let position = text(self.changes(server, "latest"), "next");
        let page_key = text(self.list(server, ""), "nextPageKey");
        self.positions.push(position);
        self.page_keys.push(page_key);
    }

    /// Meets a store that was restored: nothing of before is taken for something of now, and what is made now is followed.
    pub(crate) fn meets_restored(&mut self, server: &Server, name: &str) {
        for position in &self.positions {
            let answer = self.changes(server, position);
            assert_eq!(answer.status, 410, "{}", answer.body);
            let told = "from before the service was restored";
            assert!(answer.body.contains(told), "{}", answer.body);
        }
        for key in &self.page_keys {
            let answer = self.list(server, &format!("&pageKey={key}"));
            assert_eq!(answer.status, 400, "{}", answer.body);
        }
        let before = self.letters.clone();
        self.follow(server, name);
        for new in &self.letters[before.len()..] {
            let is_known = before.iter().any(|letter| letter.id == new.id);
            assert!(!is_known, "{new:?} has the id of another: {before:?}");
        }
    }

    /// Meets the store that it followed last elsewhere: it goes on where it was.
    pub(crate) fn meets_again(&self, server: &Server) {
        let position = self.positions.last().expect("it followed something");
        let answer = self.changes(server, position);
        assert_eq!(answer.status, 200, "{}", answer.body);
        assert_eq!(answer.json()["items"], json!([]), "{}", answer.body);
        let key = self.page_keys.last().expect("it followed something");
        let answer = self.list(server, &format!("&pageKey={key}"));
        assert_eq!(answer.status, 200, "{}", answer.body);
    }

    /// The changes behind a position.
    fn changes(&self, server: &Server, after: &str) -> Response {
        let changes = self.records.replace("/dataobjects", "/changes");
        server.get(&self.key, &format!("{changes}?after={after}"))
    }

    /// A page of the list.
    fn list(&self, server: &Server, more: &str) -> Response {
        let path = format!("{}?pageSize=1{more}", self.records);
        server.get(&self.key, &path)
    }
}
