//! What the page of the whole interface says in English.

use super::super::api::ApiTexts;

pub(super) const TEXTS: ApiTexts = ApiTexts {
    answers: "Answers",
    body: "Body",
    codes: "What the codes mean",
    crate_what: "Four steps in a shell: fill in where Fieldstone's sources are; a crate that uses them; the types, fetched; the program, which prints each record.",
    data: "Data interface",
    data_what: "For integrations. Each request has an API key or a client's token in the header Authorization, without a prefix.",
    document_fetch: "The OpenAPI document of this schema has its fields as properties; tools can generate clients from it.",
    document_of_schema: "Each schema also has a document of its own, with its fields as properties:",
    management: "Management",
    management_what: "For managing everything around the records. All that these pages do, they do through these operations. A program sends an API key or a client's token, as with the data interface; a browser has its session.",
    no_credential: "Needs no credential.",
    operation: "Operation",
    operations: &[],
    operations_of_nouns: &[],
    operation_nouns: &[],
    operation_inputs: &[],
    parameters: "Parameters",
    rust_untold: "The generator makes no Rust type of this schema, so there are no lines for Rust.",
    right: "Right",
    service: "The service itself",
    statuses: "What the answers mean",
    what: "Every operation of this service. openapi.json says the same for programs, with the shape of every body.",
    whole: "Every operation",
};
