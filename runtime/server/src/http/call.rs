//! What a handler is called with: the service, who calls, the ids of the path, and the rest of the request,
//! unread. One argument instead of an extractor each.

use super::error::{Failure, unauthenticated};
use super::extract::{Incoming, PathIds, page_request};
use super::note::Note;
use axum::body::Body;
use axum::extract::{FromRequest, FromRequestParts, Path, Request};
use axum::http::request::Parts;
use axum::response::{IntoResponse, Response};
use serde::de::DeserializeOwned;
use service::{AreaPermit, Caller, DatasetPermit, PageRequest, Refusal, SchemaPermit, Service};
use std::sync::Arc;
use store::catalog::{Resource, Verb};

/// A request behind the door, with the ids of its path.
pub(crate) struct Call<P = ()> {
    /// The service that is asked.
    pub(crate) service: Arc<Service>,
    /// The ids of the path.
    pub(crate) ids: P,
    /// Who calls.
    pub(crate) caller: Caller,
    parts: Parts,
    body: Body,
}

/// Ids that are read from a path.
pub(crate) trait FromPath: Sized + Send {
    /// The ids of a request's path.
    fn from_path(parts: &mut Parts) -> impl Future<Output = Result<Self, Failure>> + Send;
}

impl FromPath for () {
    async fn from_path(_: &mut Parts) -> Result<Self, Failure> {
        Ok(())
    }
}

impl FromPath for PathIds {
    async fn from_path(parts: &mut Parts) -> Result<Self, Failure> {
        Ok(PathIds::of(parts))
    }
}

impl FromPath for String {
    async fn from_path(parts: &mut Parts) -> Result<Self, Failure> {
        matched(parts).await
    }
}

impl FromPath for (String, String) {
    async fn from_path(parts: &mut Parts) -> Result<Self, Failure> {
        matched(parts).await
    }
}

/// What the route's pattern matched. An id that is no text names nothing.
async fn matched<T: DeserializeOwned + Send>(parts: &mut Parts) -> Result<T, Failure> {
    let ids = Path::<T>::from_request_parts(parts, &()).await;
    ids.map(|Path(ids)| ids).map_err(|_| Failure::UnknownRoute)
}

/// The caller was noted by the door; without it nobody comes in. Whoever asks for it is behind a route, which
/// the log learns here: the path that was sent may hold a primary key.
impl<P: FromPath> FromRequest<Arc<Service>> for Call<P> {
    type Rejection = Response;

    async fn from_request(request: Request, service: &Arc<Service>) -> Result<Self, Response> {
        let (mut parts, body) = request.into_parts();
        let note = parts.extensions.get::<Arc<Note>>();
        let note = note.ok_or_else(unauthenticated)?;
        note.pass(parts.extensions.get());
        let caller = note.caller().cloned().ok_or_else(unauthenticated)?;
        let ids = P::from_path(&mut parts).await;
        Ok(Call {
            service: service.clone(),
            ids: ids.map_err(IntoResponse::into_response)?,
            caller,
            parts,
            body,
        })
    }
}

impl<P> Call<P> {
    /// Which page of a list is asked for. Judged by the service, after role and path.
    pub(crate) fn page(&self) -> PageRequest {
        page_request(self.query())
    }

    /// What stands behind the path.
    pub(crate) fn query(&self) -> &str {
        self.parts.uri.query().unwrap_or_default()
    }

    /// The request's head.
    pub(crate) fn parts(&self) -> &Parts {
        &self.parts
    }

    /// The body, unread. It is there once.
    pub(crate) fn incoming(&mut self) -> Incoming {
        let headers = std::mem::take(&mut self.parts.headers);
        Incoming::new(headers, std::mem::take(&mut self.body))
    }
}

impl Call<PathIds> {
    /// What the caller may do in the path's area.
    pub(crate) fn permit_area(
        &self,
        resource: Resource,
        verb: Verb,
    ) -> Result<AreaPermit, Refusal> {
        let caller = self.caller.clone();
        caller.permit_area(resource, verb, &self.ids.area())
    }

    /// What the caller may do to the path's schema, or under it.
    pub(crate) fn permit_schema(
        &self,
        resource: Resource,
        verb: Verb,
    ) -> Result<SchemaPermit, Refusal> {
        let caller = self.caller.clone();
        caller.permit_schema(resource, verb, &self.ids.area(), &self.ids.schema())
    }

    /// What the caller may do to the path's dataset, or to its records.
    pub(crate) fn permit_dataset(
        &self,
        resource: Resource,
        verb: Verb,
    ) -> Result<DatasetPermit, Refusal> {
        let (area, schema, dataset) = (self.ids.area(), self.ids.schema(), self.ids.dataset());
        let caller = self.caller.clone();
        caller.permit_dataset(resource, verb, [&area, &schema, &dataset])
    }
}
