//! Goals among records: those with the words that are typed, and what is done to a record, by its name and words of the record.

use super::best::Goal;
use crate::admin::pages::places::Place;
use crate::admin::pages::search::{Group, groups_of};
use crate::admin::pages::sought::Sought;
use crate::admin::pages::texts::Texts;
use crate::admin::pages::visit::Visit;
use crate::http::error::Failure;
use service::search::{Extent, SearchRequest};
use service::{PageRequest, Refusal};

/// Records that are shown at most.
const RECORDS: &str = "5";
/// Letters that a word has that names what is done.
const LETTERS_MIN: usize = 3;

/// Something that is done to a record.
struct Deed {
    label: &'static str,
    /// Words that find it, too.
    also: &'static str,
    /// Where that is done, behind the address of the record.
    end: &'static str,
    may: fn(&Place) -> bool,
}

impl Deed {
    fn all(t: &Texts) -> [Self; 3] {
        [
            Deed {
                label: t.history,
                also: t.bring_back,
                end: "/history",
                may: |_| true,
            },
            Deed {
                label: t.delete_record,
                also: "",
                end: "#delete",
                may: |place| place.may_delete,
            },
            Deed {
                label: t.files,
                also: t.file_add,
                end: "#files",
                may: |place| {
                    let mut fields = place.version().schema.active_fields();
                    place.may_edit && fields.any(|field| field.data_type.is_file())
                },
            },
        ]
    }

    /// Whether a word is the beginning of one of its own.
    fn is_named_by(&self, word: &str) -> bool {
        let word = word.to_lowercase();
        let own = format!("{} {}", self.label, self.also).to_lowercase();
        let mut own = own.split_whitespace();
        word.chars().count() >= LETTERS_MIN && own.any(|own| own.starts_with(&word))
    }
}

/// Some records with the words that are typed, the last of which may not be whole yet: no more are looked at, nor counted.
pub(super) async fn found(visit: &Visit, typed: &str) -> Result<Vec<Group>, Failure> {
    let is_word = typed.ends_with(char::is_alphanumeric);
    let query = format!("{typed}{}", if is_word { "*" } else { "" });
    let sought = Sought::of(&query);
    let request = SearchRequest {
        query: Some(query),
        page: PageRequest {
            key: None,
            size: Some(RECORDS.to_owned()),
        },
        extent: Extent::Few,
        ..SearchRequest::default()
    };
    match visit.site.service.seen_hits(&visit.caller, &request).await {
        Ok(text) => groups_of(visit, &text, &sought),
        // half a query, one for values that are not the visitor's to see, or an index that is not there yet: the goals are,
        // and the search says what is the matter
        Err(
            Refusal::Parameter(_)
            | Refusal::Forbidden(_)
            | Refusal::NotReady { .. }
            | Refusal::TooLong { .. },
        ) => Ok(Vec::new()),
        Err(refusal) => Err(refusal.into()),
    }
}

/// What is done to records, where some of the words name that and the others are the record's.
pub(super) async fn deeds(visit: &Visit, typed: &str) -> Result<Vec<Goal>, Failure> {
    let deeds = Deed::all(visit.texts);
    let words = typed.split_whitespace();
    let (named, rest): (Vec<_>, Vec<_>) =
        words.partition(|word| deeds.iter().any(|deed| deed.is_named_by(word)));
    let deeds = deeds.iter();
    let asked = deeds.filter(|deed| named.iter().all(|word| deed.is_named_by(word)));
    let asked: Vec<_> = asked.collect();
    if named.is_empty() || rest.is_empty() || asked.is_empty() {
        return Ok(Vec::new());
    }
    let mut goals = Vec::new();
    for group in found(visit, &rest.join(" ")).await? {
        let place = Place::of(visit, &group.dataset)?;
        for deed in asked.iter().filter(|deed| (deed.may)(&place)) {
            goals.extend(group.hits.iter().map(|hit| {
                let context = format!("{} · {}", hit.title.text, group.name);
                let path = format!("/datasets/{}/records/{}{}", place.id, hit.id, deed.end);
                Goal::new(deed.label, &context, path)
            }));
        }
    }
    Ok(goals)
}
