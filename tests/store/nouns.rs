//! One of each noun of the catalog, for the stories about it.

use crate::test_dataset::actor;
use runtime::schema::{Origin, Schema};
use runtime::store::Catalog;
use runtime::store::catalog::{
    ApiKey, App, Area, AuditAction, AuditEntry, CountedOnce, Dataset, Domain, DomainCode, Grant,
    Invitation, Kind, Noun, Permission, Resource, Role, SchemaEntry, SchemaVersion, SecondFactor,
    Session, Stamp, Tenant, Token, User, Verb, Verbs,
};
use runtime::value::Timestamp;
use serde_json::value::RawValue;
use std::sync::Arc;
use tests::fixture;

/// The data domain that the schema fixture `subdivision` names.
pub(crate) const COUNTRIES: &str = "019b7635-dc80-781a-9a51-5a766190a985";

pub(crate) fn at(seconds: i64) -> Timestamp {
    Timestamp::from_millis(1_769_850_300_007).plus_seconds(seconds)
}

fn stamp() -> Stamp {
    Stamp::new(actor(), at(0)).changed(actor(), at(60))
}

pub(crate) fn tenant(id: &str) -> Tenant {
    Tenant {
        id: id.to_owned(),
        name: format!("Ténant {id}"),
        stamp: stamp(),
    }
}

pub(crate) fn area(id: &str, name: &str) -> Area {
    Area {
        id: id.to_owned(),
        tenant: "t".to_owned(),
        name: name.to_owned(),
        description: "\"quoted\"\n".to_owned(),
        active: true,
        deleted: false,
        version: 1,
        stamp: stamp(),
    }
}

/// A schema fixture as versions 1 to `versions`, each with another name.
pub(crate) fn schema(id: &str, file: &str, versions: i64) -> SchemaEntry {
    let text = fixture(&format!("schemas/{file}.json"));
    let schema = Schema::read(&text, Origin::Elsewhere)
        .expect("a schema")
        .schema;
    let version = |number: i64| {
        let mut schema = schema.clone();
        schema.version = Some(number);
        schema.name = format!("{} {number}", schema.name);
        Arc::new(SchemaVersion::new(schema).expect("it compiles"))
    };
    SchemaEntry {
        id: id.to_owned(),
        tenant: "t".to_owned(),
        area: "a".to_owned(),
        state: "published".to_owned(),
        active: true,
        deleted: false,
        versions: (1..=versions).map(version).collect(),
        stamp: stamp(),
    }
}

pub(crate) fn dataset(id: &str, schema: &str, number: u32) -> Dataset {
    Dataset {
        id: id.to_owned(),
        tenant: "t".to_owned(),
        area: "a".to_owned(),
        schema: schema.to_owned(),
        number,
        name: format!("Set {id}"),
        description: String::new(),
        deleted: false,
        version: 1,
        stamp: stamp(),
    }
}

pub(crate) fn domain(id: &str, version: i64) -> Domain {
    Domain {
        id: id.to_owned(),
        tenant: "t".to_owned(),
        name: "Colours".to_owned(),
        codes: vec![DomainCode {
            code: "R".to_owned(),
            description: "red".to_owned(),
        }],
        version,
        stamp: stamp(),
        size: CountedOnce::default(),
    }
}

fn grants() -> Vec<Grant> {
    vec![Grant {
        area: "a".to_owned(),
        verbs: Verbs::of(Verb::View).and(Verbs::of(Verb::Edit)),
    }]
}

pub(crate) fn api_key(id: &str, hash: &str) -> ApiKey {
    ApiKey {
        id: id.to_owned(),
        tenant: "t".to_owned(),
        name: "Import".to_owned(),
        description: String::new(),
        hash: hash.to_owned(),
        masked: "fst_…abcd".to_owned(),
        expires_at: Some(at(3600)),
        has_ended: false,
        ends_with: None,
        replaced: Vec::new(),
        active: true,
        roles: vec!["r".to_owned()],
        grants: grants(),
        last_used_at: None.into(),
        stamp: stamp(),
    }
}

pub(crate) fn app(id: &str) -> App {
    App {
        id: id.to_owned(),
        tenant: "t".to_owned(),
        name: "App".to_owned(),
        description: String::new(),
        secret_hash: "0f".to_owned(),
        active: false,
        token_seconds: 3600,
        roles: Vec::new(),
        grants: grants(),
        last_used_at: None.into(),
        stamp: stamp(),
    }
}

pub(crate) fn user(id: &str, username: &str) -> User {
    User {
        id: id.to_owned(),
        tenant: "t".to_owned(),
        username: username.to_owned(),
        full_name: "Inés Vogt".to_owned(),
        email: "ines@example.org".to_owned(),
        password_hash: "$argon2id$".to_owned(),
        must_change_password: true,
        password_ends_at: Some(Timestamp::from_millis(7)),
        invitation: Some(Invitation {
            hash: "invited".to_owned(),
            ends_at: Timestamp::from_millis(9),
        }),
        second_factor: Some(SecondFactor {
            secret: "ABCD".to_owned(),
            confirmed: true,
            last_step: 5,
            recovery_hashes: vec!["rh".to_owned()],
        }),
        second_factor_required: true,
        sign_outs: 2,
        active: true,
        roles: Vec::new(),
        grants: Vec::new(),
        last_used_at: Some(at(5)).into(),
        stamp: stamp(),
    }
}

/// One of each kind.
pub(crate) fn one_of_each() -> Vec<Noun> {
    vec![
        tenant("t").into(),
        area("a", "Area").into(),
        schema("s", "airport", 3).into(),
        dataset("d", "s", 1).into(),
        domain("dom", 1).into(),
        Role {
            id: "r".to_owned(),
            tenant: "t".to_owned(),
            name: "MEMBER".to_owned(),
            description: String::new(),
            built_in: true,
            permissions: vec![Permission {
                resource: Resource::Records,
                verbs: Verbs::ALL,
            }],
            second_factor_required: true,
        }
        .into(),
        api_key("k", "hash").into(),
        app("p").into(),
        user("u", "ines").into(),
        Token {
            hash: "th".to_owned(),
            app: "p".to_owned(),
            expires_at: at(9),
        }
        .into(),
        Session {
            hash: "sh".to_owned(),
            user: "u".to_owned(),
            csrf_hash: "ch".to_owned(),
            expires_at: at(9),
            used_at: at(8),
            begun_at: at(7),
            proved_at: at(7),
            address: None,
            user_agent: Some("Firefox".to_owned()),
        }
        .into(),
    ]
}

/// Every noun of a catalog: its kind, and its document.
pub(crate) fn documents(catalog: &Catalog) -> Vec<(Kind, String)> {
    fn of<'a, T>(nouns: impl Iterator<Item = &'a Arc<T>>, wrap: fn(Arc<T>) -> Noun) -> Vec<Noun>
    where
        T: 'a,
    {
        nouns.cloned().map(wrap).collect()
    }
    let nouns = [
        of(catalog.tenants.values(), Noun::Tenant),
        of(catalog.areas.values(), Noun::Area),
        of(catalog.schemas.values(), Noun::Schema),
        of(catalog.datasets.values(), Noun::Dataset),
        of(catalog.domains.values(), Noun::Domain),
        of(catalog.roles.values(), Noun::Role),
        of(catalog.api_keys.values(), Noun::ApiKey),
        of(catalog.apps.values(), Noun::App),
        of(catalog.users.values(), Noun::User),
    ];
    described(nouns.into_iter().flatten())
}

/// Kinds and documents.
pub(crate) fn described(nouns: impl IntoIterator<Item = Noun>) -> Vec<(Kind, String)> {
    nouns
        .into_iter()
        .map(|noun| (noun.key().kind, noun.to_json().expect("a document")))
        .collect()
}

pub(crate) fn audit_entry(tenant: &str, id: &str) -> AuditEntry {
    AuditEntry {
        tenant: tenant.to_owned(),
        at: at(0),
        actor: actor(),
        action: AuditAction::Create,
        noun: Kind::Area,
        id: id.to_owned(),
        area: None,
        before: None,
        after: RawValue::from_string(r#"{"name":"x","n":1.5}"#.to_owned()).ok(),
    }
}
