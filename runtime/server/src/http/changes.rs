//! Changes of a dataset: a page of them, which may be waited for, or all as they come about, as server-sent events. Who
//! listens is judged anew before everything it is told. `docs/interface.md`, "Changes".

use super::accept::prefers;
use super::call::Call;
use super::error::Failure;
use super::header::single;
use super::path::PathIds;
use super::response;
use crate::hang_up::HangUp;
use crate::openapi::EVENTS;
use axum::body::Bytes;
use axum::http::header::{AUTHORIZATION, HeaderName};
use axum::response::Response;
use futures_util::stream;
use service::{
    Changes, ChangesPosition, ChangesRequest, DatasetPermit, Permit as _, Refusal, Service, Waited,
};
use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;
use store::catalog::{Resource, Verb};
use url::form_urlencoded;

const LAST_EVENT_ID: HeaderName = HeaderName::from_static("last-event-id");
const NO_EVENT: &str = "`Last-Event-ID` is no event's id of this dataset's changes; send that of one that was heard, or none";
/// What is said where nothing is to be told for long.
const HEARTBEAT: &str = ":\n\n";
/// After how many milliseconds a browser comes back.
const RETRY_MILLIS: u32 = 2000;
/// Changes that are sent together.
const AT_ONCE: usize = 100;
/// How long after the first a second word is said to who may be gone: what the first one met is known by then.
const PROBE_PAUSE: Duration = Duration::from_secs(1);
/// How long to wait where there is no room for the next ones.
const ROOM_PAUSE: Duration = Duration::from_secs(1);

pub(super) async fn list(call: Call<PathIds>) -> Result<Response, Failure> {
    let permit = call.permit_dataset(Resource::Records, Verb::View)?;
    let mut request = ChangesRequest::default();
    for (name, value) in form_urlencoded::parse(call.query().as_bytes()) {
        let slot = match &*name {
            "after" => &mut request.after,
            "pageSize" => &mut request.size,
            "wait" => &mut request.wait,
            _ => continue,
        };
        if slot.replace(value.into_owned()).is_some() {
            return Err(Refusal::repeated(&name).into());
        }
    }
    if prefers(&call.parts().headers, EVENTS) {
        let headers = &call.parts().headers;
        let text = |name: &HeaderName| {
            let value = single(headers, name).and_then(|value| value.to_str().ok());
            value.filter(|value| !value.is_empty()).map(str::to_owned)
        };
        let credential = text(&AUTHORIZATION).unwrap_or_default();
        let hang_up = call.parts().extensions.get().cloned();
        // of a connection that broke off: further than what its address says
        let last = text(&LAST_EVENT_ID);
        let position = call
            .service
            .changes_position(&permit, last.as_deref().or(request.after.as_deref()));
        let position = position.await.map_err(|refusal| match refusal {
            Refusal::Parameter(_) if last.is_some() => Refusal::Parameter(NO_EVENT.into()),
            other => other,
        })?;
        return events(call.service, permit, (credential, hang_up), position).await;
    }
    let hang_up = call.parts().extensions.get::<HangUp>().cloned();
    let found = tokio::select! {
        found = call.service.changes(&permit, &request) => Some(found?),
        () = gone(hang_up.as_ref()) => None,
    };
    let found = if let Some(found) = found {
        found
    } else {
        // who has closed its half is answered with what there is, and its connection is free
        request.wait = None;
        call.service.changes(&permit, &request).await?
    };
    Ok(response::open_json(found))
}

/// Ends when the client closes its half or says more; never where nobody looks at its connection.
async fn gone(hang_up: Option<&HangUp>) {
    match hang_up {
        Some(hang_up) => hang_up.wait().await,
        None => std::future::pending().await,
    }
}

/// All changes from a position on, as they come about.
async fn events(
    service: Arc<Service>,
    permit: DatasetPermit,
    (credential, hang_up): (String, Option<HangUp>),
    position: ChangesPosition,
) -> Result<Response, Failure> {
    let first = service.read_changes(&permit, position, AT_ONCE).await?;
    let begin = service.position_text(&permit, position);
    let path = [&permit.area().id, &permit.schema().id, &permit.dataset().id];
    let mut listener = Listener {
        path: path.map(String::clone),
        text: format!("retry: {RETRY_MILLIS}\nid: {begin}\n\n"),
        service,
        credential,
        hang_up,
        is_probed: false,
        position,
    };
    listener.tell(first);
    let pieces = stream::unfold(listener, async |mut listener| {
        let piece = listener.piece().await?;
        Some((Ok::<_, Infallible>(piece), listener))
    });
    Ok(response::pieces(pieces, EVENTS))
}

/// Somebody who listens.
struct Listener {
    service: Arc<Service>,
    credential: String,
    /// Whether it is still there; none once that was asked, or where nobody knows.
    hang_up: Option<HangUp>,
    /// Whether it is about to be said a second word, since it may be gone.
    is_probed: bool,
    path: [String; 3],
    position: ChangesPosition,
    /// What was not sent yet.
    text: String,
}

impl Listener {
    /// What is sent next; none where it is over. Who comes back then is told why.
    async fn piece(&mut self) -> Option<Bytes> {
        loop {
            let permit = self.permit().await.ok()?;
            if self.text.is_empty() {
                let found = self.service.read_changes(&permit, self.position, AT_ONCE);
                match found.await {
                    Ok(found) => self.tell(found),
                    Err(Refusal::NoRoom { .. }) => {
                        tokio::time::sleep(ROOM_PAUSE).await;
                        continue;
                    }
                    Err(_) => return None,
                }
            }
            if !self.text.is_empty() {
                let text = Bytes::from(std::mem::take(&mut self.text));
                let owner = permit.caller().owner();
                let room = self.service.memory().take(owner, text.len());
                return Some(room.attach(text));
            }
            self.wait(&permit).await?;
        }
    }

    /// Waits for a change, or until something else is to be said; none where it is over.
    async fn wait(&mut self, permit: &DatasetPermit) -> Option<()> {
        let silence = if std::mem::take(&mut self.is_probed) {
            PROBE_PAUSE
        } else {
            self.service.settings().events_silence_max
        };
        let waited = self.service.wait_for_change(permit, self.position, silence);
        let waited = tokio::select! {
            waited = waited => Some(waited),
            () = gone(self.hang_up.as_ref()) => None,
        };
        match waited {
            Some(Waited::ForAChange) => {}
            Some(Waited::InVain) => self.text.push_str(HEARTBEAT),
            Some(Waited::UntilTheEnd) => return None,
            // it has closed its half: one that is gone refuses the first word, and the second one meets that
            None => {
                self.hang_up = None;
                self.is_probed = true;
                self.text.push_str(HEARTBEAT);
            }
        }
        Some(())
    }

    /// What it may do by now, as any server decided: the credential may have ended, and rights may have been taken.
    async fn permit(&self) -> Result<DatasetPermit, Refusal> {
        self.service.store().current_catalog().await?;
        // the door let it in with its prefix, where it has one
        let secret = self.credential.rsplit(' ').next().unwrap_or_default();
        let caller = self.service.authenticate(secret)?;
        let path = self.path.each_ref().map(String::as_str);
        caller.permit_dataset(Resource::Records, Verb::View, path)
    }

    fn tell(&mut self, changes: Changes) {
        self.position = changes.next;
        for (position, item) in changes.items {
            // a JSON text of ours has no line ends
            self.text.push_str("id: ");
            self.text.push_str(&position);
            self.text.push_str("\ndata: ");
            self.text.push_str(&item);
            self.text.push_str("\n\n");
        }
    }
}
