//! What the operator, an administrator and a plain holder reach and manage, and what they may give away.

use super::*;
use std::slice::from_ref;
use store::catalog::{Actor, ActorKind, Area, Row, Stamp};
use wire::Timestamp;

const OWN: &str = "own";
const DELETED: &str = "deleted";
const FOREIGN: &str = "foreign";

fn area(id: &str, tenant: &str) -> Area {
    let actor = Actor {
        kind: ActorKind::Operator,
        id: "operator".into(),
        name: "a test".into(),
        email: None,
        full_name: None,
        via: None,
        job: None,
    };
    Area {
        id: id.into(),
        tenant: tenant.into(),
        name: id.into(),
        description: String::new(),
        active: true,
        deleted: id == DELETED,
        version: 1,
        stamp: Stamp::new(actor, Timestamp::default()),
    }
}

fn role(id: &str, tenant: &str, resources: &[Resource], verbs: Verbs) -> Role {
    let permission = |resource: &Resource| Permission {
        resource: *resource,
        verbs,
    };
    Role {
        id: id.into(),
        tenant: tenant.into(),
        name: id.into(),
        description: String::new(),
        built_in: false,
        permissions: resources.iter().map(permission).collect(),
        second_factor_required: false,
    }
}

/// Areas of the tenant `t`, one of them deleted, and one of another tenant; roles of both.
fn catalog() -> Catalog {
    let mut catalog = Catalog::default();
    for (id, tenant) in [(OWN, "t"), (DELETED, "t"), (FOREIGN, "other")] {
        catalog.put(Area::row(Arc::new(area(id, tenant))));
    }
    let view = Verbs::of(Verb::View);
    let (records, rest) = Resource::ALL.split_at(4);
    for role in [
        role("all", "t", &Resource::ALL, Verbs::ALL),
        role("some", "t", records, Verbs::ALL),
        role("the rest", "t", rest, Verbs::ALL),
        role("viewer", "t", &Resource::ALL, view),
        role("all of the other", "other", &Resource::ALL, Verbs::ALL),
    ] {
        catalog.put(Role::row(Arc::new(role)));
    }
    catalog
}

fn grant(area: &str, verbs: Verbs) -> Grant {
    Grant {
        area: area.into(),
        verbs,
    }
}

/// Which of the areas may be viewed, in the order own, deleted, foreign.
fn viewed(is_viewed: impl Fn(&str, Verb) -> bool) -> [bool; 3] {
    [OWN, DELETED, FOREIGN].map(|area| is_viewed(area, Verb::View))
}

#[test]
fn the_operator_reaches_what_is_alive_in_its_tenant_and_manages_everything() {
    let catalog = catalog();
    let rights = Rights::of(&catalog, "t", None);
    assert!(rights.is_operator() && rights.is_administrator());
    assert_eq!(
        viewed(|area, verb| rights.reaches(area, verb)),
        [true, false, false]
    );
    assert_eq!(viewed(|area, verb| rights.manages(area, verb)), [true; 3]);
    assert!(rights.may(Resource::Users, Verb::Delete));
}

#[test]
fn an_administrator_reaches_its_own_areas_alone_and_manages_them_all() {
    let catalog = catalog();
    let grants = [grant(OWN, Verbs::of(Verb::View))];
    for roles in [&["all"] as &[&str], &["some", "the rest"]] {
        let roles: Vec<String> = roles.iter().map(ToString::to_string).collect();
        let rights = Rights::of(&catalog, "t", Some((&roles, &[])));
        assert!(rights.is_administrator() && !rights.is_operator());
        assert_eq!(viewed(|area, verb| rights.reaches(area, verb)), [false; 3]);
        assert_eq!(viewed(|area, verb| rights.manages(area, verb)), [true; 3]);
        let rights = Rights::of(&catalog, "t", Some((&roles, &grants)));
        assert!(rights.reaches(OWN, Verb::View));
        assert!(
            !rights.reaches(OWN, Verb::Edit),
            "the grant does not say so"
        );
        assert!(rights.manages(OWN, Verb::Edit));
    }
}

#[test]
fn a_plain_holder_reaches_and_manages_what_its_grants_say() {
    let catalog = catalog();
    let roles = ["viewer".to_owned(), "all of the other".to_owned()];
    let grants = [grant(OWN, Verbs::of(Verb::View).and(Verbs::of(Verb::Add)))];
    let rights = Rights::of(&catalog, "t", Some((&roles, &grants)));
    assert!(
        !rights.is_administrator(),
        "the other tenant's role gives nothing here"
    );
    assert_eq!(
        viewed(|area, verb| rights.reaches(area, verb)),
        [true, false, false]
    );
    assert_eq!(
        viewed(|area, verb| rights.manages(area, verb)),
        [true, false, false]
    );
    assert!(!rights.reaches(OWN, Verb::Delete) && !rights.manages(OWN, Verb::Delete));
    // both must allow it: the grant adds, the role only views
    assert!(rights.manages(OWN, Verb::Add) && !rights.may(Resource::Records, Verb::Add));
    let of = |verb| rights.require_in(Resource::Records, verb, OWN);
    assert!(of(Verb::View).is_ok());
    assert!(matches!(of(Verb::Add), Err(Refusal::Forbidden(_))));
    let elsewhere = rights.require_in(Resource::Records, Verb::View, FOREIGN);
    assert!(matches!(elsewhere, Err(Refusal::Forbidden(_))));
}

#[test]
fn nobody_gives_what_it_does_not_have() {
    let catalog = catalog();
    let roles = ["viewer".to_owned()];
    let own = grant(OWN, Verbs::of(Verb::View));
    let rights = Rights::of(&catalog, "t", Some((&roles, from_ref(&own))));
    assert!(rights.cover(&roles, from_ref(&own)).is_ok());
    let refused = |roles: &[String], grants: &[Grant]| match rights.cover(roles, grants) {
        Err(Refusal::Forbidden(text)) => text.into_owned(),
        other => panic!("{other:?}"),
    };
    let text = refused(&["some".to_owned()], &[]);
    assert!(text.ends_with("itself: add BUSINESS AREAS"), "{text}");
    let text = refused(&[], &[grant(OWN, Verbs::ALL)]);
    assert!(text.ends_with("itself: add in the area own"), "{text}");
}

#[test]
fn the_built_in_administrator_has_resources_that_came_after_its_making() {
    let made_before = |built_in| Role {
        built_in,
        name: Role::ADMINISTRATOR.into(),
        ..role("administrator", "t", &Resource::ALL[..3], Verbs::ALL)
    };
    assert!(is_everything([Arc::new(made_before(true))].iter()));
    // one of that name that somebody made is what its permissions say
    assert!(!is_everything([Arc::new(made_before(false))].iter()));
}
