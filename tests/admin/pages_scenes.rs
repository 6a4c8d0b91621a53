//! A server in a state that a form asks for, and what the form and its operation do in it: of three servers in that state one is sent
//! the form, at its address in the table; another is asked for the operation that the form names, at its address in the document; and
//! nothing is asked of the third, so that what both leave is told from what there was.

use crate::admin_server::{AdminServer, PASSWORD};
use crate::browser::Browser;
use crate::pages_by_right::forms;
use crate::pages_twin::place_of;
use crate::requests::Answer;
use serde_json::Value;
use std::cell::RefCell;

/// The password that someone chooses.
pub(crate) const CHOSEN: &str = "seven grey owls";

/// A server, who asks it, and what it is asked about.
pub(crate) struct Scene {
    pub(crate) server: AdminServer,
    /// A session of ada's as a browser has it, and one as a program has it; none where nobody can sign in.
    pub(crate) cookie: String,
    pub(crate) session: String,
    /// The page that the form is sent from.
    pub(crate) page: Option<Answer>,
    /// What stands in addresses, by what they call it.
    pub(crate) ids: Vec<(&'static str, String)>,
    /// A code or a secret that was told.
    pub(crate) note: RefCell<String>,
}

impl Scene {
    /// One where nobody has signed in.
    pub(crate) fn of_nobody(server: AdminServer, note: String) -> Self {
        Scene {
            server,
            cookie: String::new(),
            session: String::new(),
            page: None,
            ids: Vec::new(),
            note: RefCell::new(note),
        }
    }

    /// One where ada has, who looks at a page about this.
    pub(crate) fn of_ada(
        server: AdminServer,
        path: &str,
        ids: Vec<(&'static str, String)>,
    ) -> Self {
        let session = server.session("ada", PASSWORD);
        let cookie = Browser::signed_in(&server).cookie;
        let scene = Scene {
            cookie,
            session,
            ids,
            ..Scene::of_nobody(server, String::new())
        };
        let page = scene.browser().get(path).is(200);
        Scene {
            page: Some(page),
            ..scene
        }
    }

    pub(crate) fn browser(&self) -> Browser<'_> {
        Browser {
            server: &self.server,
            cookie: self.cookie.clone(),
            language: "en",
        }
    }

    pub(crate) fn page(&self) -> &Answer {
        self.page.as_ref().expect("a page")
    }

    /// Sends a form of the page.
    pub(crate) fn send(&self, place: &str, fields: &[(&str, &str)]) -> Answer {
        self.browser().send(self.page(), place, fields)
    }

    /// Asks management as ada.
    pub(crate) fn ask(&self, line: &str, body: Option<Value>) -> Answer {
        self.server.ask(&self.session, line, body)
    }

    pub(crate) fn id(&self, name: &str) -> &str {
        let own = self.ids.iter().find(|(own, _)| *own == name);
        &own.expect(name).1
    }

    pub(crate) fn filled(&self, path: &str) -> String {
        let ids = self.ids.iter();
        let filled = ids.fold(path.to_owned(), |path, (name, id)| {
            path.replace(&format!("{{{name}}}"), id)
        });
        assert!(!filled.contains('{'), "{filled}");
        filled
    }

    /// What the trail tells, in an order of its own; nothing where there is no tenant whose it is.
    pub(crate) fn trail(&self) -> Vec<String> {
        let told = self.server.root("GET /audit?pageSize=100", None);
        if told.status != 200 {
            return Vec::new();
        }
        let told = told.json();
        let entries = told["items"].as_array().expect("a page").iter();
        let entry = |it: &Value| format!("{} {} {}", it["action"], it["noun"], it["actor"]["name"]);
        let mut entries: Vec<_> = entries.map(entry).collect();
        entries.sort();
        entries
    }

    pub(crate) fn has_factor(&self, user: &str) -> Value {
        self.server.get(&format!("/users/{user}"))["secondFactor"].clone()
    }

    /// Whether someone signs in with the password that was chosen; the session.
    pub(crate) fn entered(&self, username: &str) -> Option<String> {
        let answer = self.server.enter(username, CHOSEN);
        (answer.status == 200).then(|| answer.text("token"))
    }
}

/// Who asked for what is looked at.
#[derive(Clone, Copy)]
pub(crate) enum By {
    Form,
    Operation,
    Nobody,
}

/// What a form and its operation do in such a state.
pub(crate) struct Story {
    pub(crate) form: &'static str,
    pub(crate) begin: fn() -> Scene,
    /// Sends the form, which goes to this address.
    pub(crate) send: fn(&Scene, &str) -> Answer,
    /// Asks for the operation by this line.
    pub(crate) ask: fn(&Scene, &str) -> Answer,
    /// What is there then, beside what the trail tells.
    pub(crate) left: fn(&Scene, By) -> Value,
}

impl Story {
    /// That both leave the same behind, and something at all.
    pub(crate) fn hold(&self) {
        let mut forms = forms().into_iter();
        let line = forms.find(|line| line.path == self.form);
        let operation = line.and_then(|line| line.operation).expect(self.form);
        let scenes = [(); 3].map(|()| (self.begin)());
        let [pages, management, idle] = &scenes;
        let place = format!("/app{}", pages.filled(self.form));
        let sent = (self.send)(pages, &place);
        assert!(sent.status < 400, "{}: {}", self.form, sent.body);
        let (method, path) = place_of(&operation);
        let line = format!("{method} {}", management.filled(path));
        let asked = (self.ask)(management, &line);
        assert!(asked.status < 300, "{line}: {}", asked.body);
        // the trail last, so that whatever goes on behind an answer has ended
        let left = |scene: &Scene, by| ((self.left)(scene, by), scene.trail());
        let expected = left(management, By::Operation);
        assert_eq!(left(pages, By::Form), expected, "{}", self.form);
        let nothing = left(idle, By::Nobody);
        assert_ne!(expected, nothing, "{operation} leaves nothing");
    }
}
