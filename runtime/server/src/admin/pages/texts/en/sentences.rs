//! What the interface says in words of its own, as users read it. What is not here stays as the interface says it.

use super::super::sentences::Sentences;

pub(super) const ALL: &[Sentences] = &[FAULTS, SEARCH, super::foreign::AROUND];

/// What is wrong with what was sent, with the page that it was sent from, or with who sent it.
const FAULTS: Sentences = &[
    (
        "the browser tells by `Origin` that another site sent this; where a proxy stands between, it must pass on `Host`, or the service be told its address (`--public-url`)",
        "Your browser says that another site sent this, so nothing was done. If it was this very page, a proxy stands between: its operator has it pass on `Host`, or sets --public-url",
    ),
    (
        "the service can't reach its database now; try again after the seconds in `Retry-After`",
        "The service can't reach its database now, so nothing was done. Try again in a moment",
    ),
    (
        "the service's database has no room, no memory or no connection to spare now, so nothing was done; try again after the seconds in `Retry-After`",
        "The service's database has no room, no memory or no connection to spare now, so nothing was done. Try again in a moment",
    ),
    (
        "the service's database took this back for the sake of other work each time it was tried, so nothing was done; try again after the seconds in `Retry-After`",
        "The service's database had too much other work on the same data, so nothing was done. Try again in a moment",
    ),
    (
        "the service's database took longer for this than it may, so nothing was done; ask for less, or try again after the seconds in `Retry-After`",
        "The service's database took longer for this than it may, so nothing was done. Ask for less, or try again in a moment",
    ),
    (
        "a change by cookie needs the session's token in the header `{}`",
        "This page was opened under another sign-in, or too long ago, so nothing was changed. Reload it and try again",
    ),
    (
        "no role of the caller allows to {} {}",
        "You lack the right to {v0} {r1}. Ask an administrator for a role that has it",
    ),
    (
        "the caller may not {} in this area",
        "You lack the right to {v0} anything in this area. Ask an administrator for access to it",
    ),
    (
        "`{}`, who asked for it, may not do this any more; no role of the caller allows to {} {}",
        "`{0}`, who asked for it, does not have the right any more to {v1} {r2}",
    ),
    (
        "`{}`, who asked for it, may not do this any more; the caller may not {} in this area",
        "`{0}`, who asked for it, does not have the right any more to {v1} anything in this area",
    ),
    (
        "the caller can't give or take what it does not have itself: {}",
        "You can only give or take rights that you have yourself; you lack the right to {g0}",
    ),
    ("{} in the area {}", "{v0} anything in one of these areas"),
    (
        "{} in all areas, also those that are made later",
        "{v0} anything in all areas, also later ones",
    ),
    (
        "the values of `{}` are personal, and stay so; to show them takes a role with view of `PERSONAL DATA`",
        "The values of {0} are personal data, and stay so; to show them, you need the right to see personal data",
    ),
    (
        "every field of the schema is personal; it takes a role with view of `PERSONAL DATA`",
        "Every field of the schema is personal data; you need the right to see personal data",
    ),
    (
        "{} the schema has no field of this name{} see the key{}",
        "{0} the schema has no field of this name",
    ),
    (
        "{} the field is not active{} see the key{}",
        "{0} the field is not active",
    ),
    (
        "U+0000 cannot be stored{}",
        "The character U+0000 can't be stored; take it out",
    ),
    (
        "the primary key has more than {} bytes{}",
        "The primary key has more than {0} bytes; make it shorter",
    ),
    (
        "the dataset has no data object of this id; it may have been deleted",
        "This record is not in the dataset; it may have been deleted",
    ),
    (
        "another request changed the data object at the same moment; nothing was deleted, so try again",
        "Someone else changed the record at the same moment; nothing was deleted, so try again",
    ),
    (
        "there is nothing at this address",
        "No page has this address. Check how it is written",
    ),
    (
        "there is a tenant already, so nothing was set up; sign in",
        "This service was set up earlier, so nothing was done; sign in",
    ),
    (
        "this service offers no set-up; make the first tenant on its machine with `fieldstone init`",
        "This service can't be set up here; whoever runs it sets it up on its machine with `fieldstone init`",
    ),
    (
        "is no role of this tenant; name one by its id",
        "is no role of this organisation",
    ),
    (
        "is no area of this tenant; name one by its id, or all by `*`",
        "is no area of this organisation",
    ),
    (
        "the tenant would be left without an administrator; make another user one first",
        "The organisation would be left without an administrator; make another user one first",
    ),
    (
        "only an administrator sees what the tenant has in all",
        "Only an administrator sees what the organisation has in all",
    ),
    (
        "the tenant may have {} {}, and this would be more; {}, or ask the operator for more",
        "Your organisation may have {0} {1}, and this would be more; {2}, or ask whoever runs the service for more",
    ),
    (
        "the tenant has {} jobs that wait or are being sent already; wait until one of them began, or cancel one",
        "Your organisation has {0} jobs waiting already; wait until one of them begins, or cancel one",
    ),
    (
        "is too short; choose one of at least {} characters",
        "The password is too short; choose one of at least {0} characters.",
    ),
    (
        "is too long; choose one of at most {} bytes",
        "The password is too long; choose one of at most {0} bytes.",
    ),
    (
        "is among the first that anyone would guess; choose a longer or an unusual one, without names that stand near it",
        "The password is among the first that anyone would guess; choose a longer or an unusual one, without names that stand near it.",
    ),
    (
        "became known when another service was broken into; choose another, here and there",
        "The password became known when another service was broken into; choose another, here and there.",
    ),
    (
        "is the one you have; choose another",
        "The new password is the one you have; choose another.",
    ),
    (
        "is not the password you have",
        "The current password is not the one you have.",
    ),
];

/// What is wrong with a filter.
const SEARCH: Sentences = &[
    (
        "`query` does not parse at character {}: {}",
        "The filter can't be read from character {0} on: {s1}",
    ),
    (
        "`query` names a field at character {} that no schema has which the credential may view: `{}`{}",
        "At character {0}, the filter names a field that none of your schemas has: {1}{s2}",
    ),
    (
        "`query` looks for words at character {} in a field that is not searched (`isSearched`, or files): `{}`; ask for a range, a fault or `{}:none`, or let the schema search it",
        "At character {0}, the filter looks for words in a field that is not searched for words: {1}. Ask for a range, a fault or {2}:none",
    ),
    (
        "`{}` asks for values of `{}`, which are personal; it takes a role with view of `PERSONAL DATA`",
        "The values of {1} are personal; to filter or sort by them, you need the right to see personal data",
    ),
    (
        "`sort` names a field that is a sort key in no schema which the credential may view: `{}`{}",
        "Records can't be sorted by {0}{s1}",
    ),
    (
        "`sort` names a field that is not a sort key of the schema: `{}`{}",
        "Records can't be sorted by {0}: it is not a sort key of the schema{s1}",
    ),
    (
        "`sort` names a sort key whose values have no order: `{}`; files and `latlng` are not sorted",
        "Records can't be sorted by {0}: its values have no order",
    ),
    (
        "`sort` has more than {} fields; name fewer",
        "Records can be sorted by at most {0} fields",
    ),
];
