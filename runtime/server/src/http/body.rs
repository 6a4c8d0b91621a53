//! A request's body, which is read only when a handler asks for it: up to its limits of size and time, and as
//! the media type it is announced as. What it says is others' to understand.

use super::error::Failure;
use super::header::single;
use super::json_weight::{self, Weight};
use super::room::{self, Unread};
use crate::openapi::LINES;
use axum::body::{Body, BodyDataStream, Bytes};
use axum::http::HeaderValue;
use axum::http::header::{CONTENT_ENCODING, CONTENT_LENGTH, CONTENT_TYPE, HeaderMap};
use service::{Refusal, Reservation, SAMPLE_BYTES_MAX, Settings};

/// A body that was not read yet, and what is said of it.
pub(crate) struct RequestBody {
    pub(super) headers: HeaderMap,
    pub(super) body: Body,
    /// What it may take of memory: nothing yet.
    pub(super) room: Reservation,
}

/// How many times as long as others a body may take that brings whole files along.
const OPERATION_TIMES: u32 = 10;

/// How many times as many bytes as the body of a request a form has at most that stands for one: most bytes become three, and
/// beside what is filled in stands what was there, where that is short.
#[cfg(feature = "pages")]
const FORM_TIMES: usize = 6;

/// How many times as many bytes a form has at most that stands as a text in another one.
#[cfg(feature = "pages")]
const CARRIED_TIMES: usize = 3;

/// Bytes of whatever stands beside it there, at most.
#[cfg(feature = "pages")]
const BESIDE_CARRIED_BYTES_MAX: usize = 64 << 10;

/// Up to so many bytes nobody counts values.
const SMALL_BYTES: usize = 16 << 10;

const JSON: &str = "application/json";
/// What generated clients send lines as.
const OCTETS: &str = "application/octet-stream";
pub(super) const FORM: &str = "application/x-www-form-urlencoded";

impl RequestBody {
    /// The bytes of a JSON body.
    pub(crate) async fn json(self, settings: &Settings) -> Result<Bytes, Failure> {
        if self.media_type().as_deref() != Some(JSON) {
            return Err(Failure::MediaType(
                "the body must be JSON; send it with `Content-Type: application/json`",
            ));
        }
        self.weighed(settings, json_weight::of_text).await
    }

    /// The bytes of a form, as browsers send it.
    #[cfg(feature = "pages")]
    pub(crate) async fn form(self, settings: &Settings) -> Result<Bytes, Failure> {
        if self.media_type().as_deref() != Some("application/x-www-form-urlencoded") {
            return Err(Failure::MediaType(
                "the body must be a form; send it from the page",
            ));
        }
        let announced = self.announced();
        let sent = self.bytes(settings).await;
        sent.map_err(|failure| match (failure, announced) {
            (Failure::TooLarge { bytes_max }, Some(bytes)) => form_too_large(bytes_max, bytes),
            (failure, _) => failure,
        })
    }

    /// The bytes of a form that someone with a session sends: it may be larger than what it stands for, and take longer.
    #[cfg(feature = "pages")]
    pub(crate) async fn form_of_session(self, settings: &Settings) -> Result<Bytes, Failure> {
        let bytes_max = session_form_bytes_max(settings);
        let settings = Settings {
            body_bytes_max: bytes_max,
            ..self.for_large(settings, bytes_max)
        };
        self.form(&settings).await
    }

    /// The bytes of a form that a page carries along within another one: as many as come back with that.
    #[cfg(feature = "pages")]
    pub(crate) async fn form_to_carry(self, settings: &Settings) -> Result<Bytes, Failure> {
        let back = self.room.body_bytes_max();
        let back = back.saturating_sub(BESIDE_CARRIED_BYTES_MAX) / CARRIED_TIMES;
        let settings = self.for_large(settings, form_bytes_max(settings).min(back));
        self.form(&settings).await
    }

    /// The bytes of a form that may carry another one along; of who shows no session, in no more time than others have.
    #[cfg(feature = "pages")]
    pub(crate) async fn form_with_carried(
        self,
        settings: &Settings,
        is_of_session: bool,
    ) -> Result<Bytes, Failure> {
        let carried = form_bytes_max(settings).saturating_mul(CARRIED_TIMES);
        let bytes_max = carried.saturating_add(BESIDE_CARRIED_BYTES_MAX);
        let mut own = self.for_large(settings, bytes_max);
        if !is_of_session {
            own.body_time_max = settings.body_time_max;
        }
        self.form(&own).await
    }

    /// The bytes of a JSON body that brings whole files along: it may be larger than others, and take longer.
    pub(crate) async fn json_of_operation(self, settings: &Settings) -> Result<Bytes, Failure> {
        let settings = self.for_large(settings, settings.operation_bytes_max);
        self.json(&settings).await
    }

    /// The bytes of a body of JSON objects, one a line: it may be larger than others, and take longer.
    pub(crate) async fn lines(self, settings: &Settings) -> Result<Bytes, Failure> {
        if !matches!(self.media_type().as_deref(), Some(LINES | JSON | OCTETS)) {
            return Err(Failure::MediaType(
                "the body must be JSON objects, one a line; send it with `Content-Type: application/x-ndjson`",
            ));
        }
        let settings = self.for_large(settings, settings.bulk_bytes_max);
        self.weighed(&settings, json_weight::of_lines).await
    }

    /// The bytes of a sample of a data file; what it is, its content tells.
    pub(crate) async fn sample(self, settings: &Settings) -> Result<Bytes, Failure> {
        let uploads = usize::try_from(settings.jobs.upload_bytes_max).unwrap_or(usize::MAX);
        let settings = self.for_large(settings, SAMPLE_BYTES_MAX.min(uploads));
        self.bytes(&settings).await
    }

    /// The settings for a body that may be as large as this.
    fn for_large(&self, settings: &Settings, bytes_max: usize) -> Settings {
        Settings {
            // less where there is little memory
            body_bytes_max: self.room.body_bytes_max().min(bytes_max),
            body_time_max: settings.body_time_max * OPERATION_TIMES,
            ..settings.clone()
        }
    }

    /// The body piece by piece, for who has a limit of its own.
    pub(crate) fn stream(self) -> BodyDataStream {
        self.body.into_data_stream()
    }

    /// What is said of the body.
    pub(crate) fn headers(&self) -> &HeaderMap {
        &self.headers
    }

    /// The one media type it is announced as, in lower case and without parameters.
    pub(crate) fn media_type(&self) -> Option<String> {
        let value = single(&self.headers, &CONTENT_TYPE)?.to_str().ok()?;
        let essence = value.split(';').next().unwrap_or(value);
        Some(essence.trim().to_ascii_lowercase())
    }

    /// How many bytes the body says that it has.
    fn announced(&self) -> Option<usize> {
        let length = self.headers.get(CONTENT_LENGTH)?;
        length.to_str().ok()?.parse().ok()
    }

    /// The bytes of the body, no more than the limit and no longer than the time for it.
    pub(crate) async fn bytes(self, settings: &Settings) -> Result<Bytes, Failure> {
        self.weighed(settings, |_| Weight::default()).await
    }

    /// The same, with room for what is read of them as long as they are held.
    async fn weighed(
        self,
        settings: &Settings,
        weigh: fn(&[u8]) -> Weight,
    ) -> Result<Bytes, Failure> {
        let plain = |coding: &HeaderValue| coding.as_bytes().eq_ignore_ascii_case(b"identity");
        if !self.headers.get_all(CONTENT_ENCODING).iter().all(plain) {
            return Err(Failure::MediaType(
                "the body must not be compressed; send it without `Content-Encoding`",
            ));
        }
        let too_large = Failure::TooLarge {
            bytes_max: settings.body_bytes_max as u64,
        };
        // a body that says it is too large is not read at all
        let announced = self.announced();
        if announced.is_some_and(|length| length > settings.body_bytes_max) {
            return Err(too_large);
        }
        let read = room::read(self.body, settings.body_bytes_max, announced, self.room);
        match tokio::time::timeout(settings.body_time_max, read).await {
            Err(_) => Err(Failure::TooSlow),
            Ok(Ok((bytes, room))) => with_room_to_read(bytes, room, weigh),
            Ok(Err(Unread::TooLarge)) => Err(too_large),
            Ok(Err(Unread::Broken)) => Err(Failure::Broken),
            Ok(Err(Unread::NoRoom(failure))) => Err(failure),
        }
    }
}

/// Bytes with their room, and with room for the values that are read of them where they are many for their bytes.
fn with_room_to_read(
    bytes: Bytes,
    mut room: Reservation,
    weigh: fn(&[u8]) -> Weight,
) -> Result<Bytes, Failure> {
    if bytes.len() > SMALL_BYTES {
        let weight = weigh(&bytes);
        let wanted = bytes.len() + weight.beyond(bytes.len());
        let bytes_max = room.caller_bytes_max();
        if wanted > bytes_max {
            let message = format!(
                "the body has {} values, and to read them would take {wanted} bytes of memory, not {bytes_max}; send less at once",
                weight.values
            );
            let refusal = Refusal::TooLarge {
                bytes_max: bytes_max as u64,
            };
            return Err(Failure::explained(refusal, message));
        }
        room.grow_to(wanted)?;
    }
    Ok(room.attach(bytes))
}

/// Bytes that a form may have on its way.
#[cfg(feature = "pages")]
fn form_bytes_max(settings: &Settings) -> usize {
    settings.body_bytes_max.saturating_mul(FORM_TIMES)
}

/// The same of someone with a session.
#[cfg(feature = "pages")]
pub(crate) fn session_form_bytes_max(settings: &Settings) -> usize {
    let room = service::body_bytes_max(settings.memory_budget_bytes);
    room.min(form_bytes_max(settings))
        .max(settings.body_bytes_max)
}

/// Why a form of so many bytes is refused that has more than it may.
#[cfg(feature = "pages")]
pub(crate) fn form_too_large(bytes_max: u64, bytes: usize) -> Failure {
    let message = format!(
        "the form is larger than {bytes_max} bytes: it has {bytes}, and nothing of it was saved; send less"
    );
    Failure::explained(Refusal::TooLarge { bytes_max }, message)
}
