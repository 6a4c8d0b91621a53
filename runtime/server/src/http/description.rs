//! The OpenAPI documents over HTTP. The interfaces' is public; a schema's tells names of fields, so it asks for
//! what reading the schema asks for. Who writes them stands above all interfaces, and is handed in.

use super::call::{Call, PublicCall};
use super::error::Failure;
use super::front_page::ChooseFront;
use super::path::PathIds;
use super::response;
use super::room::TakesNoRoom;
use crate::openapi::Site;
use axum::response::Response;
use bytes::Bytes;
use schema::Schema;
use std::sync::{Arc, OnceLock};
use store::catalog::{Resource, Verb};

/// Where a schema is, for the document of its records.
pub(crate) struct SchemaPlace<'s> {
    pub(crate) area_id: &'s str,
    pub(crate) area_name: &'s str,
    pub(crate) schema_id: &'s str,
    pub(crate) schema: &'s Schema,
}

/// The documents of a site and what `/` says, and who writes them.
#[derive(Clone)]
pub(crate) struct Documents(Arc<Parts>);

struct Parts {
    site: Site,
    whole: fn(&Site) -> String,
    of_schema: fn(&SchemaPlace<'_>, &Site) -> String,
    front: ChooseFront,
    /// The first of them, once it was asked for: made once, for all.
    written: OnceLock<Bytes>,
}

impl Documents {
    pub(crate) fn of(
        site: Site,
        whole: fn(&Site) -> String,
        of_schema: fn(&SchemaPlace<'_>, &Site) -> String,
        front: ChooseFront,
    ) -> Self {
        Documents(Arc::new(Parts {
            site,
            whole,
            of_schema,
            front,
            written: OnceLock::new(),
        }))
    }

    /// Those of a server that nobody asks for any: who tells of the routes alone needs no other.
    #[cfg(feature = "pages")]
    pub(crate) fn unasked() -> Self {
        Documents::of(
            Site::default(),
            |_| String::new(),
            |_, _| String::new(),
            |_| super::front_page::FrontPage::plain(),
        )
    }

    pub(super) fn whole(&self, _: &PublicCall) -> Response {
        let Parts {
            site,
            whole,
            written,
            ..
        } = &*self.0;
        let text = written.get_or_init(|| whole(site).into());
        let mut response = response::json(text.clone());
        response.extensions_mut().insert(TakesNoRoom);
        response
    }

    /// Where people find pages, if they do.
    pub(super) fn pages(&self) -> Option<&str> {
        self.0.site.pages.as_deref()
    }

    /// What `/` says, by the headers of who asks.
    pub(super) fn front(&self) -> ChooseFront {
        self.0.front
    }

    pub(super) fn of_schema(&self, call: &Call<PathIds>) -> Result<Response, Failure> {
        let permit = call.permit_schema(Resource::Schemas, Verb::View)?;
        let (area, schema) = (permit.area(), permit.schema());
        let place = SchemaPlace {
            area_id: &area.id,
            area_name: &area.name,
            schema_id: &schema.id,
            schema: &schema.current().schema,
        };
        Ok(response::open_json((self.0.of_schema)(
            &place,
            &self.0.site,
        )))
    }
}
