//! What stands at `/`: the way to the application for whoever follows the address in a browser, in the language that it likes,
//! and a few lines for who writes programs. It is the same for everyone who reads that language, asks for nothing and tells nothing
//! that `/openapi.json` does not; its links are relative, since a proxy may stand before it. It looks as the application does, where
//! that is served; who knows the languages and the looks stands above, and is handed in.

use super::call::PublicCall;
use axum::body::Body;
use axum::http::Response;
use axum::http::header::{CONTENT_SECURITY_POLICY, CONTENT_TYPE, HeaderMap, HeaderValue, VARY};
use std::future::{Ready, ready};

/// It loads the sheets and the icon of the application, and nothing else.
const POLICY: HeaderValue = HeaderValue::from_static(
    "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; \
     frame-ancestors 'none'",
);

/// What it is made of.
pub(crate) struct FrontPage {
    pub(crate) texts: &'static FrontTexts,
    /// What it loads of the application: sheets and an icon, by what browsers call them.
    pub(crate) sheets: Vec<&'static str>,
    pub(crate) icon: &'static str,
}

/// What it says in one language, as markup.
pub(crate) struct FrontTexts {
    /// The language's code.
    pub(crate) code: &'static str,
    /// What this is.
    pub(crate) about: &'static str,
    /// The link to the application, and what is said below it.
    pub(crate) open: [&'static str; 2],
    /// What stands above the lines for programs.
    pub(crate) programs: &'static str,
    /// Where the interfaces are.
    pub(crate) interfaces: &'static str,
    /// What the description describes, behind the link to it.
    pub(crate) described: &'static str,
    /// Where the manual is.
    pub(crate) manual: &'static str,
    /// What the links behind it tell.
    pub(crate) health: &'static str,
}

/// Chooses it for whoever sends these headers.
pub(crate) type ChooseFront = fn(&HeaderMap) -> FrontPage;

impl FrontPage {
    /// That in English, with no look but that of the browser.
    pub(crate) fn plain() -> Self {
        FrontPage {
            texts: &FrontTexts::ENGLISH,
            sheets: Vec::new(),
            icon: "",
        }
    }
}

impl FrontTexts {
    /// Those in English.
    pub(crate) const ENGLISH: FrontTexts = FrontTexts {
        code: "en",
        about: "This is a master-data service: business areas hold schemas, schemas describe records, datasets hold records.",
        open: [
            "Open the application",
            "There people look at data, and repair what is wrong with it.",
        ],
        programs: "For programs",
        interfaces: "The data interface is below <code>/v1</code>, management below <code>/admin/api/v1</code>. Both ask for a \
            credential in <code>Authorization</code>; <code>POST /oauth2/token</code> gives one for an application client's id \
            and secret.",
        described: "describes both.",
        manual: "The manual is the folder <code>runtime/docs</code> of the program's sources; <code>fieldstone --help</code> \
            tells of its commands.",
        health: "Whether it works:",
    };
}

/// What shows the page, with a link to the application where that stands at a path.
pub(super) fn showing(
    pages: Option<String>,
    choose: ChooseFront,
) -> impl Fn(PublicCall) -> Ready<Response<Body>> + Clone + Send + 'static {
    move |call: PublicCall| ready(shown(&choose(&call.parts().headers), pages.as_deref()))
}

fn shown(front: &FrontPage, pages: Option<&str>) -> Response<Body> {
    let mut response = Response::new(Body::from(page(front, pages)));
    let html = HeaderValue::from_static("text/html; charset=utf-8");
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, html);
    let vary = HeaderValue::from_static("accept-language, cookie");
    headers.insert(VARY, vary);
    if pages.is_some() {
        headers.insert(CONTENT_SECURITY_POLICY, POLICY);
    }
    response
}

fn page(front: &FrontPage, pages: Option<&str>) -> String {
    let FrontTexts {
        code,
        about,
        open: [open, open_what],
        programs,
        interfaces,
        described,
        manual,
        health,
    } = front.texts;
    let pages = pages.map(|path| path.trim_start_matches('/'));
    let link = pages.map_or_else(String::new, |path| {
        format!("<p><a class=\"button primary wide\" href=\"{path}/\">{open}</a></p>\n<p class=\"muted\">{open_what}</p>\n")
    });
    let loaded = pages.map_or_else(String::new, |path| {
        let sheets = front.sheets.iter();
        let sheets =
            sheets.map(|name| format!("<link rel=\"stylesheet\" href=\"{path}/assets/{name}\">\n"));
        let icon = Some(front.icon).filter(|name| !name.is_empty());
        let icon = icon.map(|name| {
            format!("<link rel=\"icon\" href=\"{path}/assets/{name}\" type=\"image/svg+xml\">\n")
        });
        sheets.chain(icon).collect()
    });
    format!(
        r#"<!doctype html>
<html lang="{code}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Fieldstone</title>
{loaded}</head>
<body>
<main>
<section class="card narrow">
<h1>Fieldstone</h1>
<p>{about}</p>
{link}<h2>{programs}</h2>
<ul class="log">
<li>{interfaces}</li>
<li><a href="openapi.json">openapi.json</a> {described}</li>
<li>{manual}</li>
<li>{health} <a href="healthz">healthz</a>, <a href="readyz">readyz</a>.</li>
</ul>
</section>
</main>
</body>
</html>
"#
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_looks_as_the_application_where_that_is_served_and_loads_nothing_where_it_is_not() {
        let front = FrontPage {
            sheets: vec!["app-1.css"],
            icon: "icon-2.svg",
            ..FrontPage::plain()
        };
        let shown = page(&front, Some("/desk"));
        for part in [
            r#"<link rel="stylesheet" href="desk/assets/app-1.css">"#,
            r#"href="desk/assets/icon-2.svg""#,
            r#"<a class="button primary wide" href="desk/">Open the application</a>"#,
        ] {
            assert!(shown.contains(part), "{part}: {shown}");
        }
        let programs = shown.find("<h2>For programs</h2>");
        assert!(shown.find("Open the application") < programs, "{shown}");
        for (front, pages) in [(&front, None), (&FrontPage::plain(), Some("/app"))] {
            let shown = page(front, pages);
            assert!(!shown.contains("<link"), "{shown}");
            assert_eq!(shown.contains("Open the application"), pages.is_some());
        }
    }
}
