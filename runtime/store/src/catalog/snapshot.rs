//! The catalog in memory: every noun by its key, and the look-ups that requests need. Immutable; a
//! change makes the next one.

use super::has::has;
use super::user_names::UserNames;
use super::{
    ApiKey, App, Area, Dataset, Domain, Grant, Kind, NounKey, Role, SavedView, SchemaEntry,
    Session, Setting, Stamp, Tenant, Token, User, Webhook,
};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use std::sync::Arc;
use wire::Timestamp;

/// A noun's row in the catalog, and what nouns have in common, each where it has it.
pub trait Row: Sized {
    /// Its kind.
    const KIND: Kind;

    /// The row that holds it.
    fn row(noun: Arc<Self>) -> Noun;

    /// Its id.
    fn key(&self) -> &str;

    /// All there are, by their ids, in order of creation.
    fn all(catalog: &Catalog) -> &BTreeMap<String, Arc<Self>>;

    /// The tenant that holds it; nothing for what is the store's own.
    #[expect(
        clippy::unnecessary_literal_bound,
        reason = "a noun that has one lends its own"
    )]
    fn tenant(&self) -> &str {
        ""
    }

    /// What people call it.
    fn name(&self) -> &str {
        self.key()
    }

    /// Who made and changed it.
    fn stamp_mut(&mut self) -> Option<&mut Stamp> {
        None
    }

    /// When it was made, where that is kept.
    fn made(&self) -> Option<Timestamp> {
        None
    }

    /// Its version, where it counts them.
    fn version(&self) -> Option<i64> {
        None
    }

    /// The version, where each change counts it up.
    fn version_mut(&mut self) -> Option<&mut i64> {
        None
    }

    /// Whether it is, in all, what another one is; asked of those that count versions.
    fn is_same(&self, _other: &Self) -> bool {
        false
    }

    /// Whether it is deleted and may come back.
    fn is_deleted(&self) -> bool {
        false
    }

    /// The mark of what may come back from its deletion.
    fn deleted_mut(&mut self) -> Option<&mut bool> {
        None
    }

    /// Whether it is switched on, where it can be switched off.
    fn is_active(&self) -> Option<bool> {
        None
    }

    /// The switch of what can be switched off.
    fn active_mut(&mut self) -> Option<&mut bool> {
        None
    }

    /// The roles and areas of whoever may call.
    fn access(&self) -> Option<(&[String], &[Grant])> {
        None
    }

    /// When it last called, where it may call and did.
    fn last_used(&self) -> Option<Timestamp> {
        None
    }

    /// The areas that it reaches, where it may call.
    fn grants_mut(&mut self) -> Option<&mut Vec<Grant>> {
        None
    }
}

/// Declares the nouns, each named as its kind: what it has, the map it lives in, and what it is found by there; and what
/// is issued, which has rows as they do and is kept elsewhere ([`Issued`](super::Issued)).
macro_rules! nouns {
    (
        nouns { $(
            $(#[$is:meta])* $variant:ident($noun:ty): $($has:ident)*,
            $(#[$holds:meta])* $map:ident, $key:ident;
        )* }
        issued { $($(#[$stands:meta])* $issued:ident, $hash:ident;)* }
    ) => {
        /// One row of the catalog.
        #[derive(Clone, Debug)]
        pub enum Noun {
            $($(#[$is])* $variant(Arc<$noun>),)*
            $($(#[$stands])* $issued(Arc<$issued>),)*
        }

        impl Noun {
            /// Its kind.
            pub fn kind(&self) -> Kind {
                match self {
                    $(Noun::$variant(_) => Kind::$variant,)*
                    $(Noun::$issued(_) => Kind::$issued,)*
                }
            }

            /// What it is found by.
            pub fn key(&self) -> NounKey {
                match self {
                    $(Noun::$variant(noun) => NounKey { kind: Kind::$variant, id: noun.$key.clone() },)*
                    $(Noun::$issued(issue) => NounKey { kind: Kind::$issued, id: issue.$hash.clone() },)*
                }
            }

            /// Its document.
            ///
            /// # Errors
            /// Never, for the nouns there are.
            pub fn to_json(&self) -> Result<String, serde_json::Error> {
                match self {
                    $(Noun::$variant(noun) => serde_json::to_string(&**noun),)*
                    $(Noun::$issued(issue) => serde_json::to_string(&**issue),)*
                }
            }

            /// Reads a row; `None` when the kind is not known.
            ///
            /// # Errors
            /// When the document does not follow the noun.
            pub fn from_json(kind: &str, document: &str) -> Result<Option<Self>, serde_json::Error> {
                Ok(match Kind::parse(kind) {
                    $(Some(Kind::$variant) => Some(Noun::$variant(Arc::new(serde_json::from_str(document)?))),)*
                    $(Some(Kind::$issued) => Some(Noun::$issued(Arc::new(serde_json::from_str(document)?))),)*
                    _ => None,
                })
            }
        }

        $(impl Row for $noun {
            const KIND: Kind = Kind::$variant;

            fn row(noun: Arc<Self>) -> Noun {
                Noun::$variant(noun)
            }

            fn key(&self) -> &str {
                &self.$key
            }

            fn all(catalog: &Catalog) -> &BTreeMap<String, Arc<Self>> {
                &catalog.$map
            }

            $(has!($has);)*
        })*

        $(impl From<$noun> for Noun {
            fn from(noun: $noun) -> Self {
                Noun::$variant(Arc::new(noun))
            }
        })*

        $(impl From<$issued> for Noun {
            fn from(issue: $issued) -> Self {
                Noun::$issued(Arc::new(issue))
            }
        })*

        /// The catalog as of one change.
        #[derive(Clone, Debug, Default)]
        pub struct Catalog {
            $($(#[$holds])* pub $map: BTreeMap<String, Arc<$noun>>,)*
            /// API keys by the hash of the key.
            pub keys_by_hash: FxHashMap<String, Arc<ApiKey>>,
            pub(super) user_names: UserNames,
            /// Datasets by number.
            pub datasets_by_number: FxHashMap<u32, Arc<Dataset>>,
            version: u64,
        }

        impl Catalog {
            /// Puts a noun in; what is issued is not kept here.
            pub fn put(&mut self, noun: Noun) {
                self.forget(&noun.key());
                self.index(&noun);
                match noun {
                    $(Noun::$variant(noun) => { self.$map.insert(noun.$key.clone(), noun); })*
                    $(Noun::$issued(_) => {})*
                }
            }

            /// What a tenant holds, but itself: each by what it is found by.
            pub fn keys_of(&self, tenant: &str) -> Vec<NounKey> {
                let mut keys = Vec::new();
                $(for noun in self.$map.values().filter(|noun| Row::tenant(&***noun) == tenant) {
                    keys.push(NounKey { kind: Kind::$variant, id: noun.$key.clone() });
                })*
                keys
            }

            /// Takes a noun out.
            pub fn remove(&mut self, key: &NounKey) {
                self.forget(key);
                match key.kind {
                    $(Kind::$variant => { self.$map.remove(&key.id); })*
                    $(Kind::$issued => {})*
                    Kind::Record => {}
                }
            }
        }
    };
}

nouns! {
    nouns {
        /// A tenant.
        Tenant(Tenant): name stamp,
        /// Tenants by id, which is the order of creation.
        tenants, id;
        /// A business area.
        Area(Area): tenant name stamp version deleted,
        /// Business areas by id.
        areas, id;
        /// A schema with its versions.
        Schema(SchemaEntry): tenant versions stamp deleted,
        /// Schemas by id.
        schemas, id;
        /// A dataset.
        Dataset(Dataset): tenant name stamp version deleted,
        /// Datasets by id.
        datasets, id;
        /// A data domain.
        Domain(Domain): tenant name stamp version,
        /// Data domains by id.
        domains, id;
        /// A role.
        Role(Role): tenant name,
        /// Roles by id.
        roles, id;
        /// An API key.
        ApiKey(ApiKey): tenant name stamp access,
        /// API keys by id.
        api_keys, id;
        /// An application client.
        App(App): tenant name stamp access,
        /// Application clients by id.
        apps, id;
        /// A person.
        User(User): tenant username stamp access,
        /// Persons by id.
        users, id;
        /// Where changes are sent.
        Webhook(Webhook): tenant name stamp switch,
        /// Webhooks by id.
        webhooks, id;
        /// A user's own way of looking at a dataset.
        SavedView(SavedView): tenant name stamp,
        /// Saved views by id.
        saved_views, id;
        /// What the store itself remembers.
        Setting(Setting):,
        /// What the store itself remembers, by name.
        settings, id;
    }
    issued {
        /// An access token.
        Token, hash;
        /// A session.
        Session, hash;
    }
}

impl Catalog {
    /// Its version: rises with each change of it that is committed, and with nothing else, reopening
    /// included. Two catalogs of one store are the same if it is the same, unless its database lost commits.
    pub fn version(&self) -> u64 {
        self.version
    }

    /// Makes it the catalog of this version: the engine's part, which counts them where it commits.
    pub fn set_version(&mut self, version: u64) {
        self.version = version;
    }

    fn index(&mut self, noun: &Noun) {
        match noun {
            Noun::ApiKey(key) => {
                let old = key.replaced.iter().map(|old| &old.hash);
                for hash in std::iter::once(&key.hash).chain(old) {
                    self.keys_by_hash.insert(hash.clone(), key.clone());
                }
            }
            Noun::User(user) => {
                self.user_names.insert(user);
            }
            Noun::Dataset(dataset) => {
                self.datasets_by_number
                    .insert(dataset.number, dataset.clone());
            }
            _ => {}
        }
    }

    fn forget(&mut self, key: &NounKey) {
        match key.kind {
            Kind::ApiKey => {
                if let Some(key) = self.api_keys.get(&key.id) {
                    let old = key.replaced.iter().map(|old| &old.hash);
                    for hash in std::iter::once(&key.hash).chain(old) {
                        self.keys_by_hash.remove(hash);
                    }
                }
            }
            Kind::User => {
                if let Some(user) = self.users.get(&key.id) {
                    self.user_names.remove(user);
                }
            }
            Kind::Dataset => {
                if let Some(dataset) = self.datasets.get(&key.id) {
                    self.datasets_by_number.remove(&dataset.number);
                }
            }
            _ => {}
        }
    }
}
