//! What the manifest's nouns have in common: a [`Spec`] says what a noun is to be, whether the one that is
//! there is so already, and how it is written. Looking it up, comparing, judging and reporting are the
//! applier's, once for all.

use crate::access::Access;
use crate::model::Areas;
use crate::report::{CodeChanges, PropertyChange};
use service::manage::{Content, Noun};
use service::{Caller, Refusal, Service};
use store::catalog::Row as _;

/// What a manifest says that a noun is to be.
pub(crate) trait Spec: Sync {
    /// The noun.
    type Noun: Noun;
    /// What is judged, and written.
    type Content: Content;
    /// What people are told of, where that is not the noun's own word.
    const WHAT: &'static str = <Self::Noun as Noun>::NAME;

    /// The name it is found by.
    fn name(&self) -> &str;

    /// Roles and areas by their names, of whoever may call; those that are not said stay as they are.
    fn rights(&self) -> Option<(Option<&[String]>, Option<&Areas>)> {
        None
    }

    /// Whether all that it refers to is there, roles and areas aside.
    fn is_complete(&self) -> bool {
        true
    }

    /// What the noun is to say, with what its rights mean; `old` is the one that is there.
    fn content(&self, access: &Access, old: Option<&Self::Noun>) -> anyhow::Result<Self::Content>;

    /// Whether the one that is there says so already; roles and areas aside.
    fn is_same(&self, old: &Self::Noun, content: &Self::Content) -> bool {
        self.changes(old, content).is_empty()
    }

    /// The properties of the one that is there that become others; roles, areas and secrets aside.
    fn changes(&self, old: &Self::Noun, content: &Self::Content) -> Vec<PropertyChange>;

    /// What becomes of the codes of a domain that is there.
    fn codes(&self, _: &Self::Noun, _: &Self::Content) -> Option<CodeChanges> {
        None
    }

    /// Makes or changes it.
    fn write(edit: Edit<'_, Self>) -> impl Future<Output = Result<Receipt, Refusal>> + Send;
}

/// A noun that is made, or changed where one has the id.
pub(crate) struct Edit<'a, S: Spec + ?Sized> {
    pub(crate) service: &'a Service,
    pub(crate) by: Caller,
    /// The id of what it hangs below; empty for what hangs below the tenant.
    pub(crate) parent: &'a str,
    pub(crate) id: Option<&'a str>,
    pub(crate) content: S::Content,
}

impl<S> Edit<'_, S>
where
    S: Spec<Noun: Noun<New = S::Content, Content = S::Content>>,
{
    /// Writes what is made and changed by one content.
    pub(crate) async fn put(self) -> Result<Receipt, Refusal> {
        let nouns = self.service.nouns::<S::Noun>();
        let noun = match self.id {
            None => nouns.create(&self.by, self.parent, self.content).await?,
            Some(id) => nouns.update(&self.by, id, self.content).await?,
        };
        Ok(Receipt::of(noun.key()))
    }
}

/// What a write gives back.
pub(crate) struct Receipt {
    pub(crate) id: String,
    /// The secret that was made.
    pub(crate) secret: Option<String>,
}

impl Receipt {
    /// Of a noun without a secret.
    pub(crate) fn of(id: &str) -> Self {
        Receipt {
            id: id.to_owned(),
            secret: None,
        }
    }

    /// Of a noun that was made with a secret.
    pub(crate) fn with_secret(id: &str, secret: String) -> Self {
        Receipt {
            secret: Some(secret),
            ..Receipt::of(id)
        }
    }
}

/// A text that a manifest says, or the one that is there, or none.
pub(crate) fn said(wanted: Option<&String>, old: Option<&String>) -> String {
    wanted.or(old).cloned().unwrap_or_default()
}
