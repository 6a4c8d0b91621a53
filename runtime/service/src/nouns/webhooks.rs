//! Webhooks: where changes of datasets are sent, signed with a secret of their own. Whoever makes or changes one may view the
//! records of all its datasets.

use super::UnderDataset as _;
use super::change::Change;
use super::content::Texts;
use super::engine::{Nouns, free};
use super::noun::{Content, Noun, Switchable};
use super::secret::{Minted, NewSecret};
use super::sight::Sight;
use super::views::stamp_view;
use crate::rights::Lifetime;
use crate::{Caller, Entropy, Refusal};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use std::collections::BTreeMap;
use std::sync::Arc;
use store::catalog::{AuditAction, Dataset, Resource, Verb, Webhook};
use url::{Host, Url};
use wire::Timestamp;
use wire::manage::{Problem, WebhookContent, WebhookView};

/// What every secret begins with.
pub(crate) const SECRET_PREFIX: &str = "whsec_";
/// Datasets that one may have.
const DATASETS_MAX: usize = 100;
/// Characters that an address may have.
const URL_LENGTH_MAX: usize = 2000;

impl Content for WebhookContent {
    fn judge(&self, _: Timestamp) -> Result<(), Refusal> {
        let mut texts = Texts::named(&self.name, &self.description);
        let is_long = self.url.chars().count() > URL_LENGTH_MAX;
        // what reads addresses leaves white space out in silence
        let has_space = self
            .url
            .contains(|it: char| it.is_whitespace() || it.is_control());
        let url = Url::parse(&self.url)
            .ok()
            .filter(|url| !is_long && !has_space && is_address(url));
        if url.is_none() {
            let message = format!(
                "must be an address that begins with `https://` or `http://`, without user name, password, fragment and white \
                 space, of {URL_LENGTH_MAX} characters at most"
            );
            texts.wrong("$.url", message);
        }
        if self.datasets.is_empty() || self.datasets.len() > DATASETS_MAX {
            let message = format!("must have 1 to {DATASETS_MAX} ids of datasets");
            texts.wrong("$.datasets", message);
        }
        texts.judged()
    }

    fn name(&self) -> &str {
        &self.name
    }
}

fn is_address(url: &Url) -> bool {
    matches!(url.scheme(), "https" | "http")
        && url.has_host()
        && url.username().is_empty()
        && url.password().is_none()
        && url.fragment().is_none()
}

/// Refuses an address where changes would go to another machine in the clear, unless the operator allows that.
fn require_encrypted(change: &Change<'_>, url: &str) -> Result<(), Refusal> {
    let is_plain = |url: &Url| url.scheme() == "http" && !is_on_this_machine(url);
    let is_refused = !change.plain_webhooks && Url::parse(url).is_ok_and(|url| is_plain(&url));
    if !is_refused {
        return Ok(());
    }
    Err(Refusal::invalid(
        "$.url",
        "must begin with `https://`, since records would travel in the clear; the operator may allow others (--allow-plain-links)",
    ))
}

/// Whether an address is one of this machine, seen from itself.
pub fn is_on_this_machine(url: &Url) -> bool {
    match url.host() {
        Some(Host::Domain(name)) => name == "localhost",
        Some(Host::Ipv4(address)) => address.is_loopback(),
        Some(Host::Ipv6(address)) => address.is_loopback(),
        None => false,
    }
}

/// An address with the names of its query and none of the values.
fn without_values(url: &str) -> String {
    let Some((address, query)) = url.split_once('?') else {
        return url.to_owned();
    };
    let masked = query.split('&').map(|part| match part.split_once('=') {
        Some((name, _)) => format!("{name}=…"),
        None if part.is_empty() => String::new(),
        // a name without a value may be the secret itself
        None => "…".to_owned(),
    });
    format!("{address}?{}", masked.collect::<Vec<_>>().join("&"))
}

/// Asks for the right to view the records of these datasets.
fn permit_datasets(sight: Sight<'_>, datasets: &[String]) -> Result<(), Refusal> {
    for id in datasets {
        let dataset = sight.living::<Dataset>(id)?;
        dataset.permit_under(sight, Resource::Records, Verb::View)?;
    }
    Ok(())
}

impl Noun for Webhook {
    const RESOURCE: Resource = Resource::Apps;
    const NAME: &'static str = "webhook";
    const ONE: &'static str = "a webhook";

    const FOLLOWS_CHANGES: bool = true;

    type New = Minted<WebhookContent>;
    type Content = WebhookContent;
    type View = WebhookView;

    fn view(&self) -> WebhookView {
        let hook = self.clone();
        WebhookView {
            webhook_id: hook.id,
            name: hook.name,
            description: hook.description,
            url: hook.url,
            datasets: hook.datasets,
            active: hook.active,
            stamp: stamp_view(hook.stamp),
        }
    }

    /// Values behind the question mark of an address may be secrets of who receives: for who may change it alone.
    fn view_for(&self, sight: Sight<'_>) -> WebhookView {
        let may_change = sight.rights.may(Self::RESOURCE, Verb::Edit);
        if may_change && self.permit(sight, Verb::Edit).is_ok() {
            self.view()
        } else {
            self.trail()
        }
    }

    fn trail(&self) -> WebhookView {
        let view = self.view();
        WebhookView {
            url: without_values(&view.url),
            ..view
        }
    }

    fn make(
        change: &mut Change<'_>,
        id: String,
        _: &str,
        minted: &Minted<WebhookContent>,
    ) -> Result<Self, Refusal> {
        let content = minted.new.clone();
        Ok(Webhook {
            id,
            tenant: change.tenant().to_owned(),
            name: content.name,
            description: content.description,
            url: content.url,
            secret: minted.secret.clone(),
            datasets: content.datasets,
            active: content.active,
            begins_behind: change.log_head,
            added_behind: BTreeMap::new(),
            stamp: change.stamp(),
        })
    }

    /// A dataset that it does not have yet is sent from now on, whatever of the others waits still.
    fn with(&self, change: &mut Change<'_>, content: &WebhookContent) -> Result<Self, Refusal> {
        let content = content.clone();
        let added_behind = content.datasets.iter().filter_map(|id| {
            let behind = if self.datasets.contains(id) {
                *self.added_behind.get(id)?
            } else {
                change.log_head
            };
            Some((id.clone(), behind))
        });
        Ok(Webhook {
            name: content.name,
            description: content.description,
            url: content.url,
            added_behind: added_behind.collect(),
            datasets: content.datasets,
            active: content.active,
            ..self.clone()
        })
    }

    fn permit_new(
        change: &Change<'_>,
        _: &str,
        new: &Minted<WebhookContent>,
    ) -> Result<(), Refusal> {
        require_encrypted(change, &new.new.url)?;
        // nothing ends it, so nobody makes one that ends
        change.principal.require_no_longer(Lifetime::Open)?;
        permit_datasets(change.sight(), &new.new.datasets)
    }

    /// Datasets that it had and that are gone may stay in it: nothing is sent of them, unless they come back.
    fn permit_content(&self, change: &Change<'_>, content: &WebhookContent) -> Result<(), Refusal> {
        if content.url != self.url {
            require_encrypted(change, &content.url)?;
        }
        change.principal.require_no_longer(Lifetime::Open)?;
        let sight = change.sight();
        let is_gone =
            |id: &String| self.datasets.contains(id) && sight.living::<Dataset>(id).is_err();
        let asked = content.datasets.iter().filter(|id| !is_gone(id));
        permit_datasets(sight, &asked.cloned().collect::<Vec<_>>())
    }

    /// Nobody changes one that sends what they may not view; datasets that are gone send nothing.
    fn permit(&self, sight: Sight<'_>, verb: Verb) -> Result<(), Refusal> {
        if verb == Verb::View {
            return Ok(());
        }
        let living = self
            .datasets
            .iter()
            .filter(|id| sight.living::<Dataset>(id).is_ok());
        permit_datasets(sight, &living.cloned().collect::<Vec<_>>())
    }

    fn after_change(&self, old: &Self, change: &mut Change<'_>) -> Result<AuditAction, Refusal> {
        if self.secret == old.secret {
            return Ok(AuditAction::Update);
        }
        change.principal.require_no_longer(Lifetime::Open)?;
        Ok(AuditAction::RenewSecret)
    }
}

impl Switchable for Webhook {}

/// What can be said of a webhook by who chooses its secret, too.
#[derive(Clone)]
pub struct WebhookWithSecret {
    /// What it is to be.
    pub content: WebhookContent,
    /// `whsec_` and 24 to 64 bytes in base64; without, a new one gets one, and another keeps its own.
    pub secret: Option<String>,
}

impl std::fmt::Debug for WebhookWithSecret {
    /// Without the secret.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("WebhookWithSecret")
            .field("content", &self.content)
            .finish_non_exhaustive()
    }
}

impl Content for WebhookWithSecret {
    fn judge(&self, now: Timestamp) -> Result<(), Refusal> {
        self.content.judge(now)?;
        if self.secret.as_deref().is_none_or(is_secret) {
            return Ok(());
        }
        let message = format!("must be `{SECRET_PREFIX}` and 24 to 64 bytes in base64");
        Err(Refusal::Invalid(vec![Problem::new("$.secret", message)]))
    }

    fn name(&self) -> &str {
        &self.content.name
    }
}

/// Whether it is a secret as the Standard Webhooks specification has them.
fn is_secret(text: &str) -> bool {
    let key = text.strip_prefix(SECRET_PREFIX);
    let key = key.and_then(|key| STANDARD.decode(key).ok());
    key.is_some_and(|key| (24..=64).contains(&key.len()))
}

impl Nouns<'_, Webhook> {
    /// Makes a webhook for what changes from now on. The answer is the only place that ever shows its secret.
    ///
    /// # Errors
    /// What is wrong with it, a name that is taken, no such dataset, rights the caller does not have.
    pub async fn mint(
        self,
        by: &Caller,
        content: WebhookContent,
    ) -> Result<NewSecret<Webhook>, Refusal> {
        let wanted = WebhookWithSecret {
            content,
            secret: None,
        };
        self.mint_with(by, wanted).await
    }

    /// Makes a webhook for what changes from now on, with a secret of the maker's choice.
    ///
    /// # Errors
    /// What is wrong with it, a name that is taken, no such dataset, rights the caller does not have.
    pub async fn mint_with(
        self,
        by: &Caller,
        wanted: WebhookWithSecret,
    ) -> Result<NewSecret<Webhook>, Refusal> {
        wanted.judge(self.service.now())?;
        let WebhookWithSecret { content, secret } = wanted;
        let secret = secret.unwrap_or_else(|| new_secret(self.service.entropy()));
        let minted = Minted {
            new: content,
            secret: secret.clone(),
        };
        let noun = self.create(by, "", minted).await?;
        Ok(NewSecret { noun, secret })
    }

    /// Changes a webhook, and its secret where one is said; from the next letter on.
    ///
    /// # Errors
    /// What is wrong with it, no such webhook or dataset, a name that is taken, rights the caller does not have.
    pub async fn update_with(
        self,
        by: &Caller,
        id: &str,
        wanted: WebhookWithSecret,
    ) -> Result<Arc<Webhook>, Refusal> {
        wanted.judge(self.service.now())?;
        let WebhookWithSecret { content, secret } = wanted;
        self.revise(by, id, move |change, old| {
            old.permit_content(change, &content)?;
            free::<Webhook>(change.catalog, &old.tenant, "", &content.name, &old.id)?;
            let new = old.with(change, &content)?;
            Ok(Webhook {
                secret: secret.clone().unwrap_or(new.secret),
                ..new
            })
        })
        .await
    }

    /// Gives a webhook a new secret; what is sent from now on is signed with it.
    ///
    /// # Errors
    /// No such webhook, rights the caller does not have.
    pub async fn renew_secret(self, by: &Caller, id: &str) -> Result<NewSecret<Webhook>, Refusal> {
        let secret = new_secret(self.service.entropy());
        let next = secret.clone();
        let renewed = self.revise(by, id, move |_, old| {
            Ok(Webhook {
                secret: next.clone(),
                ..old.clone()
            })
        });
        let noun = renewed.await?;
        Ok(NewSecret { noun, secret })
    }
}

fn new_secret(entropy: &dyn Entropy) -> String {
    let mut bytes = [0; 32];
    entropy.fill(&mut bytes);
    format!("{SECRET_PREFIX}{}", STANDARD.encode(bytes))
}
