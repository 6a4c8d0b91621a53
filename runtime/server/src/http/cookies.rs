//! Cookies of management: their names, and how they are set. Where clients come by HTTPS, a name begins with
//! `__Host-`: a browser takes such a cookie only over HTTPS, from this very host and for all of it, so that neither a
//! neighbouring host nor a plain connection can put one in its place. The data interface knows none of them.

use axum::http::HeaderValue;
use axum::http::header::{HeaderMap, HeaderName, SET_COOKIE};
use service::Settings;

/// Has a browser forget what it keeps of this site. Its other cookies stay: the one that knows the browser at the next sign-in.
const CLEAR_SITE_DATA: HeaderName = HeaderName::from_static("clear-site-data");

/// The cookies of a door.
#[derive(Clone, Copy)]
pub(crate) struct Cookies {
    is_https: bool,
}

impl Cookies {
    /// Those of a service with these settings.
    pub(crate) fn of(settings: &Settings) -> Self {
        Cookies {
            is_https: settings.is_https(),
        }
    }

    /// The name of a session's.
    pub(crate) fn session(self) -> &'static str {
        if self.is_https {
            "__Host-fieldstone_session"
        } else {
            "fieldstone_session"
        }
    }

    /// Has a browser forget its session, and what it keeps of pages.
    pub(crate) fn end_session(self, headers: &mut HeaderMap) {
        if let Some(cookie) = self.set(self.session(), "", Some(0)) {
            headers.append(SET_COOKIE, cookie);
        }
        let kept = HeaderValue::from_static("\"cache\", \"storage\"");
        headers.insert(CLEAR_SITE_DATA, kept);
    }

    /// The name of the one that a browser keeps in which someone signed in.
    pub(crate) fn browser(self) -> &'static str {
        if self.is_https {
            "__Host-fieldstone_browser"
        } else {
            "fieldstone_browser"
        }
    }

    /// The name of the one that a browser keeps between the password and the code of a sign-in.
    #[cfg(feature = "pages")]
    pub(crate) fn sign_in(self) -> &'static str {
        if self.is_https {
            "__Host-fieldstone_sign_in"
        } else {
            "fieldstone_sign_in"
        }
    }

    /// The name of the one that a browser keeps for forms without a session.
    #[cfg(feature = "pages")]
    pub(crate) fn form(self) -> &'static str {
        if self.is_https {
            "__Host-fieldstone_form"
        } else {
            "fieldstone_form"
        }
    }

    /// What sets a cookie until the browser ends that no script reads, and that comes along where another site leads here, but
    /// not with forms that it sends.
    #[cfg(feature = "pages")]
    pub(crate) fn set_for_links(self, name: &str, value: &str) -> Option<HeaderValue> {
        self.made(&format!("{name}={value}; Path=/"), "Lax")
    }

    /// What sets a cookie that no script reads and no other site sends, for so many seconds, or until the browser
    /// ends.
    pub(crate) fn set(self, name: &str, value: &str, seconds: Option<u32>) -> Option<HeaderValue> {
        self.set_below("/", name, value, seconds)
    }

    /// The same, sent with addresses below a path alone.
    pub(crate) fn set_below(
        self,
        path: &str,
        name: &str,
        value: &str,
        seconds: Option<u32>,
    ) -> Option<HeaderValue> {
        let age = seconds.map_or_else(String::new, |seconds| format!("; Max-Age={seconds}"));
        self.made(&format!("{name}={value}; Path={path}{age}"), "Strict")
    }

    /// What sets a cookie that no script reads, with where and how long it is kept, and from where it is sent.
    fn made(self, kept: &str, same_site: &str) -> Option<HeaderValue> {
        let secure = if self.is_https { "; Secure" } else { "" };
        let cookie = format!("{kept}; HttpOnly; SameSite={same_site}{secure}");
        // INVARIANT: values and paths are letters, digits and what an address may have
        HeaderValue::from_str(&cookie).ok()
    }
}
