//! What every handler is called with: the service, who calls, the ids of the path, and the rest of the request,
//! unread. One argument instead of an extractor each.

use super::body::RequestBody;
use super::context::RequestContext;
use super::error::{Failure, unauthenticated};
use super::path::{FromPath, PathIds, sent_uri};
use super::query::page_request;
use axum::body::Body;
use axum::extract::{FromRequest, Request};
use axum::http::Uri;
use axum::http::request::Parts;
use axum::response::{IntoResponse as _, Response};
use service::{AreaPermit, Caller, DatasetPermit, PageRequest, Refusal, SchemaPermit, Service};
use std::net::IpAddr;
use std::sync::Arc;
use store::catalog::{Resource, Verb};

/// A request with the ids of its path, and who sent it: a [`Caller`], or anyone.
pub(crate) struct Call<P = (), C = Caller> {
    /// The service that is asked.
    pub(crate) service: Arc<Service>,
    /// The ids of the path.
    pub(crate) ids: P,
    /// Who calls.
    pub(crate) caller: C,
    context: Arc<RequestContext>,
    parts: Parts,
    body: Body,
}

/// A call of a public route: who calls was not asked.
pub(crate) type PublicCall<P = ()> = Call<P, Anonymous>;

/// Whoever calls a public route.
pub(crate) struct Anonymous;

/// A call that a user may make also while it has to choose a password first.
pub(crate) type OwnCall<P = ()> = Call<P, Own>;

/// A caller that asks about nothing but itself.
pub(crate) struct Own(pub(crate) Caller);

/// A call that a user may make also while it has to set up a second factor first.
pub(crate) type EnrolCall<P = ()> = Call<P, Enrolling>;

/// A caller with a password of its own, of whom a second factor may be required that it has not.
pub(crate) struct Enrolling(pub(crate) Caller);

/// Who a handler may be called by.
pub(crate) trait FromContext: Sized + Send {
    /// Who calls; a refusal when it is nobody that may come to the handler.
    fn from_context(context: &RequestContext) -> Result<Self, Refusal>;
}

impl FromContext for Caller {
    fn from_context(context: &RequestContext) -> Result<Self, Refusal> {
        let Enrolling(caller) = Enrolling::from_context(context)?;
        if caller.must_set_up_second_factor() {
            return Err(Refusal::SecondFactorSetupRequired);
        }
        Ok(caller)
    }
}

impl FromContext for Enrolling {
    fn from_context(context: &RequestContext) -> Result<Self, Refusal> {
        let Own(caller) = Own::from_context(context)?;
        if caller.must_change_password() {
            return Err(Refusal::PasswordChangeRequired);
        }
        Ok(Enrolling(caller))
    }
}

impl FromContext for Own {
    fn from_context(context: &RequestContext) -> Result<Self, Refusal> {
        let caller = context.caller().cloned();
        caller.map(Own).ok_or(Refusal::Unauthenticated)
    }
}

impl FromContext for Anonymous {
    fn from_context(_: &RequestContext) -> Result<Self, Refusal> {
        Ok(Anonymous)
    }
}

/// The access layer remembered the caller; without it nobody comes in. Whoever asks for a call is behind a
/// route, which the log learns here: the path that was sent may hold a primary key.
impl<P: FromPath, C: FromContext> FromRequest<Arc<Service>> for Call<P, C> {
    type Rejection = Response;

    async fn from_request(request: Request, service: &Arc<Service>) -> Result<Self, Response> {
        let (mut parts, body) = request.into_parts();
        let context = parts.extensions.remove::<Arc<RequestContext>>();
        let context = context.ok_or_else(unauthenticated)?;
        context.set_route(parts.extensions.get());
        let caller = C::from_context(&context).map_err(Failure::from);
        let caller = caller.map_err(Failure::into_response)?;
        let ids = P::from_path(&mut parts).await;
        Ok(Call {
            service: service.clone(),
            ids: ids.map_err(Failure::into_response)?,
            caller,
            context,
            parts,
            body,
        })
    }
}

/// A call without its body, which several may look at while one of them waits.
#[cfg(feature = "pages")]
pub(crate) struct CallHead<P, C> {
    /// The ids of the path.
    pub(crate) ids: P,
    /// Who calls.
    pub(crate) caller: C,
    /// What else is known of the request.
    pub(crate) context: Arc<RequestContext>,
    /// The request's head.
    pub(crate) parts: Parts,
}

impl<P, C> Call<P, C> {
    /// The call, and its body by itself.
    #[cfg(feature = "pages")]
    pub(crate) fn apart(mut self) -> (CallHead<P, C>, RequestBody) {
        let headers = self.parts.headers.clone();
        let body = self.body();
        self.parts.headers = headers;
        let head = CallHead {
            ids: self.ids,
            caller: self.caller,
            context: self.context,
            parts: self.parts,
        };
        (head, body)
    }

    /// Which page of a list is asked for. Judged by the service, after role and path.
    pub(crate) fn page(&self) -> PageRequest {
        page_request(self.query())
    }

    /// What stands behind the question mark.
    pub(crate) fn query(&self) -> &str {
        self.parts.uri.query().unwrap_or_default()
    }

    /// The request's head.
    pub(crate) fn parts(&self) -> &Parts {
        &self.parts
    }

    /// The request's address as it was sent, whatever it is nested in.
    pub(crate) fn sent_uri(&self) -> &Uri {
        sent_uri(&self.parts)
    }

    /// The secret of the session that the caller came in with.
    pub(crate) fn session(&self) -> Option<&str> {
        self.context.session()
    }

    /// The address of who asks, a trusted proxy's word for it included; `None` where the server does not tell whom
    /// it is connected to.
    pub(crate) fn client_address(&self) -> Option<IpAddr> {
        self.context.client_address
    }

    /// Tells the log that a token is asked for a client; an id that no client has is told to nobody.
    pub(crate) fn note_client(&self, id: &str) {
        if let Some(client) = self.service.store().catalog().apps.get(id) {
            self.context.set_client(client);
        }
    }

    /// The body, unread. It is there once.
    pub(crate) fn body(&mut self) -> RequestBody {
        let room = self.service.memory().take(self.context.owner(), 0);
        RequestBody {
            headers: std::mem::take(&mut self.parts.headers),
            body: std::mem::take(&mut self.body),
            room,
        }
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
