//! The pages of what is managed that are asked for: areas, schemas, jobs, who comes and what it may do, a hundred of most things, and
//! oneself. Each route stands as the application's table has it; `tests/tidy/every_page.rs` holds that none of them is left out.

use super::kind::{Kind, Must};

pub(super) const KINDS: &[Kind] = &[
    Kind::of("the areas, 100", "/areas", Must::Have(">Area 99</a>")),
    Kind::of(
        "an area, 100 datasets",
        "/areas/{id}",
        Must::Have(">Shelf 01</a>"),
    ),
    Kind::of(
        "the schemas of 100 areas",
        "/schemas",
        Must::Have(">Product</a>"),
    ),
    Kind::of(
        "a schema, 100 versions and datasets",
        "/schemas/{id}",
        Must::Have("id=\"downloads\""),
    ),
    Kind::of(
        "the editor of a schema",
        "/schemas/{id}/edit",
        Must::Have("class=\"schema-editor\""),
    ),
    Kind::of(
        "the versions of a schema, 100",
        "/schemas/{id}/versions",
        Must::Have("<option selected>100</option>"),
    ),
    Kind::of(
        "a schema as Rust",
        "/schemas/{id}/as/{kind}",
        Must::Have("pub struct Product"),
    ),
    Kind::of(
        "the beginning of a new schema",
        "/areas/{id}/schemas/new",
        Must::Have("data-operation=\"inferSchema\""),
    ),
    Kind::of(
        "the jobs, 100",
        "/jobs",
        Must::Repeat("<tr class=\"job\"", 100),
    ),
    Kind::of("a job", "/jobs/{id}", Must::Have("id=\"offered\"")),
    Kind::of("the audit trail", "/audit", Must::Have("<tr id=\"n")),
    Kind::of(
        "the usage",
        "/usage",
        Must::Have("class=\"faults usage stacked\""),
    ),
    Kind::of(
        "the settings",
        "/settings",
        Must::Have("fieldstone tenant rename"),
    ),
    Kind::of("the users, 100", "/users", Must::Have(">Guest 99</a>")),
    Kind::of("a user", "/users/{id}", Must::Have("<h1>Guest 99</h1>")),
    Kind::of(
        "the form of a new user",
        "/users/new",
        Must::Have("data-operation=\"inviteUser\""),
    ),
    Kind::of(
        "an invitation",
        "/invitation",
        Must::Have("data-operation=\"acceptInvitation\""),
    ),
    Kind::of("the roles, 100", "/roles", Must::Have(">Role 01</a>")),
    Kind::of("a role", "/roles/{id}", Must::Have("<h1>Role 01</h1>")),
    Kind::of(
        "the form of a new role",
        "/roles/new",
        Must::Have("data-operation=\"createRole\""),
    ),
    Kind::of("the keys, 99", "/keys", Must::Have(">Key 99</a>")),
    Kind::of("a key", "/keys/{id}", Must::Have("<h1>Key 99</h1>")),
    Kind::of("the clients, 99", "/clients", Must::Have(">Client 99</a>")),
    Kind::of(
        "a client",
        "/clients/{id}",
        Must::Have("<h1>Client 99</h1>"),
    ),
    Kind::of(
        "the form of a new client",
        "/clients/new",
        Must::Have("data-operation=\"createApp\""),
    ),
    Kind::of("the webhooks, 99", "/webhooks", Must::Have(">Hook 99</a>")),
    Kind::of(
        "a webhook",
        "/webhooks/{id}",
        Must::Have("<h1>Hook 99</h1>"),
    ),
    Kind::of(
        "the form of a new webhook",
        "/webhooks/new",
        Must::Have("data-operation=\"createWebhook\""),
    ),
    Kind::of("the domains, 100", "/domains", Must::Have(">Domain 99</a>")),
    Kind::of(
        "a domain, 100 codes",
        "/domains/{id}",
        Must::Have("<h1>Domain 00</h1>"),
    ),
    Kind::of(
        "the form of a new domain",
        "/domains/new",
        Must::Have("data-operation=\"createDomain\""),
    ),
    Kind::of(
        "the whole interface",
        "/api",
        Must::Have("id=\"management\""),
    ),
    Kind::of(
        "one's profile",
        "/profile",
        Must::Have("data-operation=\"changeEmail\""),
    ),
    Kind::of(
        "one's password",
        "/password",
        Must::Have("data-operation=\"changePassword\""),
    ),
    Kind::of(
        "the form of a sign-in",
        "/sign-in",
        Must::Have("data-operation=\"signIn\""),
    ),
    Kind::of(
        "a style sheet",
        "/assets/{name}",
        Must::Have("button, .button {"),
    ),
];
