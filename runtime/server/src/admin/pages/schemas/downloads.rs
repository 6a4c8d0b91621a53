//! A schema as files, which management gives, too.

use super::head::find;
use crate::admin::pages::texts::Texts;
use crate::admin::pages::visit::Visit;
use crate::http::error::Failure;
use crate::schema_files::file_of;
use axum::body::Body;
use axum::http::Response;

/// Something that a schema can be taken as.
pub(in crate::admin::pages) struct Kind {
    /// Its name in the address.
    pub(in crate::admin::pages) which: &'static str,
    pub(in crate::admin::pages) text: &'static str,
}

impl Kind {
    /// All of them.
    pub(in crate::admin::pages) fn all(texts: &Texts) -> Vec<Self> {
        let own = &texts.schemas;
        let all = [
            ("json", own.as_json),
            ("json-schema", own.as_json_schema),
            ("sqlite", own.as_sqlite),
            ("postgresql", own.as_postgresql),
            ("rust", own.as_rust),
            ("typescript", own.as_typescript),
            ("python", own.as_python),
            ("markdown", own.as_markdown),
        ];
        all.map(|(which, text)| Kind { which, text }).into()
    }
}

pub(crate) async fn download(visit: Visit<(String, String)>) -> Result<Response<Body>, Failure> {
    let (id, which) = &visit.ids;
    let entry = find(&visit, id)?;
    file_of(&entry.current().schema, which)
}
