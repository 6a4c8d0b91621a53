//! What the system and libraries say, in English that users read.

use super::super::foreign::ForeignTexts;
use super::super::sentences::Sentences;

pub(super) const TEXTS: ForeignTexts = ForeignTexts {
    cut_off: "the other end hung up before it had answered",
    ends_early: "it ends in the middle",
    no_room: "the disk has no room left",
    not_found: "it is not there",
    not_permitted: "the service lacks the permission",
    read_only: "the disk can only be read",
    refused: "nothing accepts connections there",
    timed_out: "it took too long",
    unreachable: "there is no way to it through the network",
    unresolved: "the host name in its address is not known; check how it is written",
    patterns: [
        "a parenthesis is opened and never closed",
        "a parenthesis is closed that was never opened",
        "a square bracket is opened and never closed",
        "a range is the wrong way round",
        "a range has an end that is no single character",
        "this sign can't stand between square brackets",
        "a backslash stands before a character for which it means nothing",
        "a backslash stands at the end, before nothing",
        "a character's number is not hexadecimal",
        "there is nothing before it to be repeated",
        "how often is no whole number",
        "a curly bracket is opened and never closed",
        "the least number of repetitions is above the greatest",
        "it can't refer back to a group",
        "it can't look ahead or behind",
        "two groups have the same name",
        "a group's name is empty",
        "a group's name has a character that it can't have",
        "a group's name is opened and never closed",
        "there is no such option",
        "an option is opened and never closed",
        "there is no such property of characters",
    ],
    system_says: "the system says: {}",
    is_said: "{}",
};

/// Sentences that have it in them.
pub(super) const AROUND: Sentences = &[
    (
        "the file can't be read: {}; send CSV, Excel, NDJSON or JSON",
        "the file can't be read: {o0}; send CSV, Excel, NDJSON or JSON",
    ),
    ("the file can't be read: {}", "the file can't be read: {o0}"),
    ("{} can't be written: {}", "{0} can't be written: {o1}"),
    ("{} can't be opened: {}", "{0} can't be opened: {o1}"),
    (
        "there was no connection: {}",
        "there was no connection: {o0}",
    ),
    (
        "the connection broke off: {}",
        "the connection broke off: {o0}",
    ),
    ("it did not arrive: {}", "it did not arrive: {s0}"),
    (
        "can't be read: {}, at character {}",
        "can't be read from character {1} on: {o0}",
    ),
    ("can't be read: {}", "can't be read: {o0}"),
];
