//! The OpenAPI documents, assembled from the tables that the routers are made of, and the languages and looks of what stands at `/`. It
//! knows all interfaces, and none of them knows it: whoever serves a document is handed it.

#[cfg(feature = "pages")]
use crate::admin::pages::front;
use crate::http::{self, Documents, DoorSettings, SchemaPlace};
use crate::openapi::{Front, Site};
use crate::{admin, openapi};
use serde_json::Map;
use service::Settings;
use std::sync::LazyLock;

static DOCUMENT: LazyLock<String> = LazyLock::new(|| whole(&Site::default()));

/// The document of the data interface and of management, of a server with default settings.
pub fn document() -> &'static str {
    &DOCUMENT
}

/// What the interfaces serve with these settings.
pub(crate) fn documents(door: &DoorSettings, service: &Settings) -> Documents {
    let site = Site {
        url: door.public_url.clone(),
        accept_bearer: door.accept_bearer,
        pages: door.pages_path.clone(),
        page_size: service.page_size,
        page_size_max: service.page_size_max,
    };
    Documents::of(site, whole, of_schema, front)
}

/// What `/` says where there are no pages, whose languages it would be in.
#[cfg(not(feature = "pages"))]
fn front(_: &axum::http::HeaderMap) -> http::FrontPage {
    http::FrontPage::plain()
}

/// The document of a site.
fn whole(site: &Site) -> String {
    let mut endpoints = http::endpoints(&documents(&DoorSettings::default(), &Settings::default()));
    endpoints.extend(admin::endpoints());
    let front = Front {
        title: "Fieldstone",
        about: "Business areas hold schemas, schemas describe records, datasets hold records. The data \
            interface reads and writes them; the management interface keeps everything around them. \
            Every `GET` may be asked as `HEAD`, which answers without a body. A method that an address does \
            not have is answered 405, an address that is not here 404, both with `message`; without a \
            credential both are 401. The whole value of `Authorization` is the credential, without `Bearer`.",
    };
    openapi::render(&front, site, endpoints, Map::new())
}

/// The document of the records of one schema, with their own properties.
fn of_schema(place: &SchemaPlace<'_>, site: &Site) -> String {
    let title = format!("Records of {}", place.schema.name);
    let front = Front {
        title: &title,
        about: "The records of one schema. A value that is not what its field asks for is kept as it was \
            sent and named in `_errors`. The whole value of `Authorization` is the credential, without `Bearer`.",
    };
    let shapes = openapi::record_shapes(place.schema);
    openapi::render(&front, site, http::record_endpoints(place), shapes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    fn document(site: &Site) -> Value {
        serde_json::from_str(&whole(site)).unwrap()
    }

    #[test]
    fn the_oauth_flow_is_told_where_bearer_is_accepted_and_nowhere_else() {
        let plain = document(&Site::default());
        let bearer = document(&Site {
            accept_bearer: true,
            url: Some("https://data.example.org".to_owned()),
            ..Site::default()
        });
        let schemes = "/components/securitySchemes/oauth";
        assert!(plain.pointer(schemes).is_none());
        assert_eq!(
            bearer.pointer(schemes).unwrap()["flows"]["clientCredentials"],
            json!({"tokenUrl": "https://data.example.org/oauth2/token", "scopes": {}})
        );
        let list = "/paths/~1v1~1my~1businessareas/get/security";
        assert_eq!(*plain.pointer(list).unwrap(), json!([{"credential": []}]));
        assert_eq!(
            *bearer.pointer(list).unwrap(),
            json!([{"credential": []}, {"oauth": []}])
        );
        let token = "/paths/~1oauth2~1token/post/security";
        assert_eq!(*bearer.pointer(token).unwrap(), json!([]));
    }
}
