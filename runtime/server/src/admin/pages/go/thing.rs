//! A thing that has a page, and what may be done to it there.

use super::best::{Best, Kind, Offer};
use service::catalog::Verb;

/// A thing.
pub(super) struct Thing<'t> {
    /// What all of its kind are called.
    kind: &'t str,
    name: &'t str,
    /// Words that find it beside its name.
    also: &'t str,
    /// Where it stands.
    path: &'t str,
}

/// Something that may be done to a thing.
pub(super) struct Deed<'d> {
    label: &'d str,
    also: &'d str,
    /// Where that is done, behind the address of the thing.
    end: &'d str,
    /// What one has to be allowed to do with the thing.
    asks: Verb,
}

impl<'d> Deed<'d> {
    pub(super) fn new(label: &'d str, end: &'d str, asks: Verb) -> Self {
        Deed {
            label,
            also: "",
            end,
            asks,
        }
    }

    /// The same, found by these words, too.
    pub(super) fn also(self, also: &'d str) -> Self {
        Deed { also, ..self }
    }
}

impl<'t> Thing<'t> {
    pub(super) fn new(kind: &'t str, name: &'t str, path: &'t str) -> Self {
        Thing {
            kind,
            name,
            also: "",
            path,
        }
    }

    /// The same, found by these words, too.
    pub(super) fn also(self, also: &'t str) -> Self {
        Thing { also, ..self }
    }

    /// What tells where something is done to it.
    pub(super) fn context(&self) -> String {
        format!("{} · {}", self.kind, self.name)
    }

    /// Offers its page.
    pub(super) fn offer(&self, best: &mut Best) {
        let offer = Offer::new(self.name, self.kind).also(self.also);
        let offer = offer.of(Kind::Page);
        best.offer(offer, || Some(self.path.to_owned()));
    }

    /// Offers what may be done to it.
    pub(super) fn offer_deeds(
        &self,
        best: &mut Best,
        deeds: &[Deed<'_>],
        may: impl Fn(Verb) -> bool,
    ) {
        let context = self.context();
        for deed in deeds {
            let offer = Offer::new(deed.label, &context).also(deed.also);
            best.offer(offer, || {
                may(deed.asks).then(|| format!("{}{}", self.path, deed.end))
            });
        }
    }
}
