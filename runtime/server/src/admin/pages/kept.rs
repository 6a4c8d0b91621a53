//! A form that was filled in and could not be taken, because its session had ended or its user has to show the password
//! anew: it is carried along through the page that asks, and sent again from there, so that nothing typed is lost. Nothing
//! of it is kept on the server. It goes on only with the token of the session that the form was made for, or where the
//! browser says that a page of ours sent it, so no other site can slip one in; passwords and codes are left out.

use super::form_token;
use super::seen_names::{Known, known};
use super::visit::{CARRIED_NAME, Form, Site, TOKEN_NAME, is_sent_by_page, read_few};
use crate::http::cookies::Cookies;
use crate::http::header::cookie;
use axum::body::Body;
use axum::http::Response;
use axum::http::header::{HeaderMap, HeaderValue};
use service::Caller;
use service::catalog::Verb;
use service::manage::{Kind, csrf_token};
use std::collections::HashMap;
use url::form_urlencoded;

/// Inputs of which nothing is carried along.
const SECRETS: [&str; 8] = [
    "password",
    "new-password",
    "code",
    "proof-code",
    "pending",
    "setup-secret",
    "setup-url",
    TOKEN_NAME,
];
/// Those that are asked for again where they were filled in.
const ASKED_AGAIN: [&str; 2] = ["password", "new-password"];
/// The input with the job whose file is meant, where none is chosen.
const FILE_OF: &str = "fileOf";
/// What stands behind each of these in an address is the id of what a form is about.
const NOUNS: [(&str, Kind); 9] = [
    ("/areas/", Kind::Area),
    ("/schemas/", Kind::Schema),
    ("/datasets/", Kind::Dataset),
    ("/domains/", Kind::Domain),
    ("/roles/", Kind::Role),
    ("/users/", Kind::User),
    ("/keys/", Kind::ApiKey),
    ("/clients/", Kind::App),
    ("/webhooks/", Kind::Webhook),
];
/// Where a second factor is confirmed, and where its set-up begins.
const FACTOR_CONFIRMED: &str = "/profile/second-factor/confirm";
const FACTOR_BEGUN: &str = "/profile/second-factor";

/// What an address ends with that holds what was filled in but the file.
const KEPT: &str = "kept";
const ALL_BUT_FILE: &str = "1";
/// Bytes of such an address at most: more is not taken by everyone on the way.
const ADDRESS_BYTES_MAX: usize = 3 << 10;

/// A form on its way through another page.
#[derive(Clone)]
pub(super) struct Kept {
    /// Where it was going, among the pages.
    pub(super) to: String,
    pub(super) fields: Vec<(String, String)>,
    /// The masked token that stood in it.
    pub(super) token: String,
    /// Whether a file came with it, which has to be chosen anew.
    pub(super) takes_file: bool,
    /// The names of passwords that were filled in, which have to be given anew.
    pub(super) secrets: Vec<&'static str>,
    /// Whether a secret was filled in that no page asks for anew: without it, sending the form again can't succeed.
    pub(super) lost_secret: bool,
    /// The names of the fields of a record that it is about, by their ids.
    pub(super) fields_by_id: HashMap<String, String>,
    /// The names of what it is about, and of what was ticked or chosen in it, by their ids.
    pub(super) names_by_id: HashMap<String, String>,
}

impl Kept {
    /// What was filled in and was going to this place.
    pub(super) fn of(to: &str, pairs: Vec<(String, String)>) -> Self {
        let token = pairs.iter().find(|(name, _)| name == TOKEN_NAME);
        let token = token.map_or_else(String::new, |(_, token)| token.clone());
        let is_filled_in = |secret: &&str| {
            let mut pairs = pairs.iter();
            pairs.any(|(name, value)| name == *secret && !value.is_empty())
        };
        let secrets = ASKED_AGAIN.into_iter().filter(is_filled_in).collect();
        let lost_secret = SECRETS
            .iter()
            .any(|it| *it != TOKEN_NAME && !ASKED_AGAIN.contains(it) && is_filled_in(it));
        let fields = pairs.into_iter();
        let fields = fields.filter(|(name, _)| !SECRETS.contains(&&**name));
        Kept {
            to: to.to_owned(),
            token,
            fields: fields.collect(),
            takes_file: false,
            secrets,
            lost_secret,
            fields_by_id: HashMap::new(),
            names_by_id: HashMap::new(),
        }
    }

    /// The one that a page carried along.
    pub(super) fn carried(form: &Form) -> Option<Self> {
        let to = form.get("kept-to").filter(|to| is_own(to))?;
        // no page of ours carries more
        let fields = read_few(form.text(CARRIED_NAME).as_bytes()).ok()?;
        let is_secret = |secret: &&str| form.all("kept-secret").any(|name| name == *secret);
        Some(Kept {
            to: to.to_owned(),
            fields,
            token: form.text("kept-token").to_owned(),
            takes_file: form.get("kept-file").is_some(),
            secrets: ASKED_AGAIN.into_iter().filter(is_secret).collect(),
            lost_secret: false,
            fields_by_id: HashMap::new(),
            names_by_id: HashMap::new(),
        })
    }

    /// Whether a file has to be chosen before it goes on: that of a trial may still be there.
    pub(super) fn lacks_file(&self) -> bool {
        let mut fields = self.fields.iter();
        let has_tried = fields.any(|(name, job)| name == FILE_OF && !job.is_empty());
        self.takes_file && !has_tried
    }

    /// What it is about, or is in, by its address: its kind and its id.
    pub(super) fn noun(&self) -> Option<(Kind, &str)> {
        NOUNS.iter().find_map(|(list, kind)| {
            let rest = self.to.strip_prefix(*list)?;
            Some((*kind, rest.split(['/', '?']).next()?))
        })
    }

    /// Whether a password that was filled in has to be given anew.
    pub(super) fn lacks(&self, secret: &str) -> bool {
        self.secrets.contains(&secret)
    }

    /// The one that goes on behind a proof: of a second factor's set-up nothing does, so that begins anew.
    pub(super) fn behind_proof(self) -> Self {
        if !self.lost_secret || self.to != FACTOR_CONFIRMED {
            return self;
        }
        Kept {
            to: FACTOR_BEGUN.to_owned(),
            fields: Vec::new(),
            lost_secret: false,
            ..self
        }
    }

    /// The fields as one text.
    pub(super) fn text(&self) -> String {
        let mut text = form_urlencoded::Serializer::new(String::new());
        text.extend_pairs(&self.fields).finish()
    }

    /// The address of a page with the fields, if it may hold them all: a file can't be carried along, so it is chosen there
    /// anew.
    pub(super) fn address(&self, page: &str) -> Option<String> {
        let filled = self.fields.iter().filter(|(_, value)| !value.is_empty());
        let mut pairs = form_urlencoded::Serializer::new(String::new());
        pairs.extend_pairs(filled).append_pair(KEPT, ALL_BUT_FILE);
        let address = format!("{page}?{}", pairs.finish());
        (address.len() <= ADDRESS_BYTES_MAX).then_some(address)
    }

    /// With the names of what it holds by ids, as far as the caller sees it.
    pub(super) fn named_for(self, caller: &Caller) -> Self {
        let (catalog, rights, tenant) = (caller.catalog(), caller.rights(), caller.tenant());
        let noun = self.noun();
        let of_dataset = noun.filter(|(kind, _)| *kind == Kind::Dataset);
        let dataset = of_dataset.and_then(|(_, id)| catalog.datasets.get(id));
        let dataset =
            dataset.filter(|it| it.tenant == tenant && rights.reaches(&it.area, Verb::View));
        let schema = dataset.and_then(|it| catalog.schemas.get(&it.schema));
        let fields = schema.into_iter();
        let fields = fields.flat_map(|it| it.current().schema.fields.iter());
        let fields = fields.map(|it| (it.id.clone(), it.name.clone()));
        let ids = self.fields.iter().filter_map(|(name, value)| {
            let area = value.rsplit_once(':').map(|(area, _)| area);
            Some(match &**name {
                "role" => (Kind::Role, &**value),
                "dataset" => (Kind::Dataset, &**value),
                "grant" => (Kind::Area, area?),
                _ => return None,
            })
        });
        let names = ids
            .chain(noun)
            .filter_map(|(kind, id)| match known(caller, kind, id) {
                Known::Seen(name) => Some((id.to_owned(), name.to_owned())),
                Known::Unseen | Known::Gone => None,
            });
        let names_by_id = names.collect();
        Kept {
            fields_by_id: fields.collect(),
            names_by_id,
            ..self
        }
    }

    /// Whether it was made for the session whose cookie, of an ended session or not, comes along; where there is none any
    /// more, whether the browser says that a page of this site sent it.
    pub(super) fn is_ours(&self, headers: &HeaderMap, site: &Site) -> bool {
        let cookies = Cookies::of(site.service.settings());
        let token = form_token::unmasked(&self.token);
        let session = cookie(headers, cookies.session()).map(csrf_token);
        // the token is a hash of the secret, and both are the browser's
        session.is_some() && token == session || is_sent_by_page(headers)
    }
}

/// Whether an address holds what was filled in of a form, but the file.
pub(super) fn is_held_in(address: &str) -> bool {
    let query = address.split_once('?').map(|(_, query)| query);
    let last = query.and_then(|query| query.split('&').next_back()?.split_once('='));
    last.is_some_and(|(name, value)| name == KEPT && is_all_but_file(Some(value)))
}

/// The same by the parameter `kept` of the address.
pub(super) fn is_all_but_file(kept: Option<&str>) -> bool {
    kept == Some(ALL_BUT_FILE)
}

/// Whether it is an address among the pages, and none of another site.
pub(super) fn is_own(to: &str) -> bool {
    let is_plain = |c: char| c.is_ascii_graphic() && c != '\\';
    to.starts_with('/') && !to.starts_with("//") && to.chars().all(is_plain)
}

/// Makes a page take the place of another one, of which a part was asked for.
pub(super) fn in_place_of_page(mut response: Response<Body>) -> Response<Body> {
    let headers = response.headers_mut();
    headers.insert("hx-retarget", HeaderValue::from_static("body"));
    headers.insert("hx-reswap", HeaderValue::from_static("innerHTML"));
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_form_whose_code_is_left_out_is_known_to_lack_it_and_a_set_up_begins_anew_behind_a_proof() {
        let pair = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        let of = |to: &str, secret: &str| {
            let pairs = vec![pair("token", "00ff"), pair("name", "a"), pair(secret, "x")];
            Kept::of(to, pairs)
        };
        for secret in ["code", "proof-code", "pending", "setup-secret"] {
            assert!(of("/areas", secret).lost_secret, "{secret}");
        }
        for secret in ["password", "new-password", "other"] {
            assert!(!of("/areas", secret).lost_secret, "{secret}");
        }
        let begun = of(FACTOR_CONFIRMED, "code").behind_proof();
        assert_eq!((&*begun.to, begun.fields.len()), (FACTOR_BEGUN, 0));
        let other = of("/roles", "password").behind_proof();
        assert_eq!((&*other.to, other.fields.len()), ("/roles", 1));
    }

    #[test]
    fn no_secret_is_carried_along_and_no_address_of_another_site() {
        let pair = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        let pairs = [
            pair("token", "00ff"),
            pair("name", "a&b=c ä"),
            pair("password", "x"),
            pair("code", "y"),
            pair("proof-code", "z"),
            pair("setup-secret", "s"),
            pair("setup-url", "u"),
            pair("v-f-1", "1"),
            pair("w-f-1", "0"),
            pair("b-f-1", "9"),
        ];
        let kept = Kept::of("/areas", pairs.to_vec());
        assert_eq!(kept.token, "00ff");
        // that one was filled in is known, for it to be asked for
        assert!(kept.lacks("password") && !kept.lacks("new-password"));
        let read: Vec<_> = form_urlencoded::parse(kept.text().as_bytes())
            .into_owned()
            .collect();
        assert_eq!(read, kept.fields);
        let address = kept.address("/areas").expect("it is short");
        assert_eq!(
            address,
            "/areas?name=a%26b%3Dc+%C3%A4&v-f-1=1&w-f-1=0&b-f-1=9&kept=1"
        );
        assert!(is_held_in(&address));
        // no address holds a part of it
        let long = pair("map", &"x".repeat(ADDRESS_BYTES_MAX));
        let kept = Kept::of("/areas", vec![pair("name", "a"), long]);
        assert_eq!(kept.address("/areas"), None);
        for other in [
            "/areas",
            "/areas?name=a",
            "/areas?kept=2",
            "/areas?not-kept=1",
        ] {
            assert!(!is_held_in(other), "{other}");
        }
        for (to, own) in [
            ("/areas?x=1", true),
            ("//evil.example", false),
            ("https://evil.example", false),
            ("/a\\b", false),
            ("", false),
        ] {
            assert_eq!(is_own(to), own, "{to}");
        }
    }
}
