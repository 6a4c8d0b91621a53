//! Stories that change what somebody may do at one server, and ask at whichever server of the store, through each door.

use crate::admin_server::AdminServer;
use crate::requests::Answer;
use runtime::service::secrets::SESSION_PREFIX;
use serde_json::Value;
use std::net::SocketAddr;

/// Tells a story to a server that is asked itself, and, of a store that may have several, once more to one beside which another
/// one is asked.
pub(crate) fn each(story: impl Fn(There<'_>)) {
    let server = AdminServer::start();
    let at = server.address;
    story(There::of(&server, at));
    if tests::engine::is_database() {
        let server = AdminServer::start();
        let at = server.another();
        story(There::of(&server, at));
    }
}

/// Where a story asks, which tells all else to a server.
#[derive(Clone, Copy)]
pub(crate) struct There<'s> {
    pub(crate) server: &'s AdminServer,
    at: SocketAddr,
}

/// What is asked for through each door.
pub(crate) struct Asked {
    pub(crate) data: String,
    pub(crate) desk: String,
    pub(crate) page: String,
}

impl Asked {
    /// What everyone is shown who may see business areas.
    pub(crate) fn of_everyone() -> Self {
        Asked {
            data: "GET /v1/my/businessareas".to_owned(),
            desk: "GET /admin/api/v1/session".to_owned(),
            page: "GET /app/profile".to_owned(),
        }
    }
}

impl<'s> There<'s> {
    fn of(server: &'s AdminServer, at: SocketAddr) -> Self {
        There { server, at }
    }

    /// Asserts what a credential is told through each door that it opens: pages know sessions alone, and send who has none to
    /// sign in.
    #[track_caller]
    pub(crate) fn tells(self, status: u16, by: &str, asked: &Asked, when: &str) {
        let ask = |line: &str, header: (&str, &str)| {
            let answer = self.server.send_to(self.at, line, &[header], None);
            let place = answer.header("location").unwrap_or_default();
            if answer.status == 303 && place.starts_with("/app/sign-in?") {
                return 401;
            }
            answer.status
        };
        let header = ("Authorization", by);
        let mut statuses = vec![ask(&asked.data, header), ask(&asked.desk, header)];
        if by.starts_with(SESSION_PREFIX) {
            let cookie = format!("fieldstone_session={by}");
            statuses.push(ask(&asked.page, ("Cookie", &cookie)));
        }
        let is_same = statuses.iter().all(|told| *told == status);
        assert!(is_same, "{when}: {statuses:?} in place of {status}");
    }

    /// Sends JSON that needs no credential.
    pub(crate) fn send(self, line: &str, body: &Value) -> Answer {
        let body = body.to_string();
        self.server.send_to(self.at, line, &[], Some(&body))
    }
}
