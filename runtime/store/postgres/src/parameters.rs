//! The parameters that the address of a database may have, and what is said of those that it may not: libpq has more of
//! them. Names and values are read by the driver.

use std::error::Error;

/// What is read: a name, and the values that it takes. docs/scale.md, "The address of a database".
const KNOWN: [(&str, &str); 17] = [
    ("user", "a name"),
    ("password", "a text"),
    ("dbname", "a name"),
    ("host", "names, addresses or folders of sockets, by commas"),
    ("hostaddr", "IP addresses, by commas"),
    ("port", "numbers, by commas"),
    (
        "sslmode",
        "disable, prefer, require, verify-ca or verify-full",
    ),
    ("sslnegotiation", "postgres or direct"),
    ("channel_binding", "disable, prefer or require"),
    ("target_session_attrs", "any, read-write or read-only"),
    ("load_balance_hosts", "disable or random"),
    (
        "options",
        "settings of the session, such as `-c search_path=master`",
    ),
    ("application_name", "a name"),
    ("connect_timeout", "whole seconds"),
    ("tcp_user_timeout", "whole seconds"),
    ("keepalives", "0 or 1"),
    (
        "keepalives_idle, keepalives_interval, keepalives_retries",
        "whole seconds, and a number",
    ),
];

const CLIENT_CERTIFICATE: &str = "certificates of clients are not supported; let the database ask for a password, and give that with --database-password-file";
const TLS: &str =
    "TLS is 1.2 or 1.3 in any case, and a certificate is judged by its roots alone; leave it out";
const PASSWORD_ALONE: &str =
    "nothing but a password opens a connection; let the database ask for that, and leave it out";

/// What to do in place of libpq's other parameters.
const REFUSED: [(&str, &str); 31] = [
    (
        "sslrootcert",
        "give the root certificates with --database-root-certificates",
    ),
    ("sslcert", CLIENT_CERTIFICATE),
    ("sslkey", CLIENT_CERTIFICATE),
    ("sslpassword", CLIENT_CERTIFICATE),
    ("sslcertmode", CLIENT_CERTIFICATE),
    ("sslcrl", TLS),
    ("sslcrldir", TLS),
    ("sslcompression", TLS),
    ("sslsni", TLS),
    ("ssl_min_protocol_version", TLS),
    ("ssl_max_protocol_version", TLS),
    ("requiressl", "write sslmode=require"),
    (
        "passfile",
        "give the password with --database-password-file",
    ),
    (
        "service",
        "no file of services is read; write its values into the address",
    ),
    (
        "servicefile",
        "no file of services is read; write its values into the address",
    ),
    ("keepalives_count", "write keepalives_retries"),
    ("fallback_application_name", "write application_name"),
    ("client_encoding", "texts are always UTF-8; leave it out"),
    (
        "require_auth",
        "leave it out; channel_binding=require keeps to SCRAM over TLS",
    ),
    (
        "requirepeer",
        "leave it out; who may write into the folder of the socket is for the system to say",
    ),
    ("replication", "leave it out"),
    ("min_protocol_version", "leave it out"),
    ("max_protocol_version", "leave it out"),
    ("gssencmode", PASSWORD_ALONE),
    ("gsslib", PASSWORD_ALONE),
    ("gssdelegation", PASSWORD_ALONE),
    ("krbsrvname", PASSWORD_ALONE),
    ("oauth_issuer", PASSWORD_ALONE),
    ("oauth_client_id", PASSWORD_ALONE),
    ("scram_client_key", "leave it out"),
    ("scram_server_key", "leave it out"),
];

/// How an address has what its form takes for itself.
const ESCAPES: &str = "characters such as @, / and % of a name or a password are written as %40, %2F and %25 in an address";

/// What is said of an address that is cut at the wrong place.
pub(crate) fn torn() -> String {
    format!("it has an @ where neither a host nor a database has one; {ESCAPES}")
}

/// Why an address can't be read and what to do, without any value of it: one may be the password.
pub(crate) fn reason(error: &tokio_postgres::Error) -> String {
    let cause = error.source().map(ToString::to_string).unwrap_or_default();
    let named = |beginning: &str| cause.strip_prefix(beginning)?.strip_suffix('`');
    if let Some(name) = named("unknown option `") {
        return unknown(name);
    }
    if let Some(name) = named("invalid value for option `") {
        return match value_of(name) {
            Some(value) => format!("its parameter {name} has another value than it takes: {value}"),
            None => format!("its parameter {name} has a value that it does not take"),
        };
    }
    format!("it is neither an address nor a list of `name=value`; {ESCAPES}")
}

/// Whether a text begins as a list of `name=value` does: with a parameter of libpq's, be it one that is not supported.
pub(crate) fn begins_with_parameter(text: &str) -> bool {
    let name = text.split_once('=').map(|(name, _)| name.trim());
    name.is_some_and(|name| value_of(name).is_some() || advice_on(name).is_some())
}

fn unknown(name: &str) -> String {
    if let Some(advice) = advice_on(name) {
        return format!("its parameter {name} is not supported: {advice}");
    }
    let known: Vec<&str> = KNOWN.iter().map(|(known, _)| *known).collect();
    let known = known.join(", ");
    // what is no word may be a part of a value
    let is_word = name.bytes().all(|it| it.is_ascii_lowercase() || it == b'_');
    let name = if is_word { name } else { "…" };
    format!("its parameter {name} is not known; there are {known}")
}

/// What a parameter takes.
fn value_of(name: &str) -> Option<&'static str> {
    let known = KNOWN
        .iter()
        .find(|(known, _)| known.split(", ").any(|one| one == name));
    known.map(|(_, value)| *value)
}

/// What to do in place of a parameter that is not supported.
fn advice_on(name: &str) -> Option<&'static str> {
    let refused = REFUSED.iter().find(|(refused, _)| *refused == name);
    refused.map(|(_, advice)| *advice)
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokio_postgres::Config;

    fn refusal(address: &str) -> String {
        let read: Result<Config, tokio_postgres::Error> = address.parse();
        reason(&read.unwrap_err())
    }

    #[test]
    fn every_parameter_that_is_told_of_is_read() {
        let address = "host=one,two port=5432,6432 hostaddr=127.0.0.1,127.0.0.2 user=anna password=secret \
            dbname=master sslmode=require sslnegotiation=direct channel_binding=require \
            target_session_attrs=read-write load_balance_hosts=random options='-c search_path=master' \
            application_name=fieldstone connect_timeout=3 tcp_user_timeout=15 keepalives=1 keepalives_idle=10 \
            keepalives_interval=3 keepalives_retries=3";
        let read: Result<Config, tokio_postgres::Error> = address.parse();
        assert!(read.is_ok(), "{read:?}");
        for (names, _) in KNOWN {
            for name in names.split(", ") {
                assert!(address.contains(&format!("{name}=")), "{name}");
            }
        }
    }

    #[test]
    fn a_parameter_that_is_not_supported_is_refused_with_what_to_do() {
        for (name, advice) in REFUSED {
            for address in [
                format!("postgres://anna@host/master?{name}=secret"),
                format!("host=host user=anna {name}=secret"),
            ] {
                let told = refusal(&address);
                assert!(told.contains(name) && told.ends_with(advice), "{told}");
                assert!(!told.contains("secret"), "{told}");
            }
        }
    }

    #[test]
    fn what_nobody_knows_is_refused_with_what_there_is_and_no_value() {
        let told = refusal("postgres://anna@host/master?sslmod=secret");
        assert!(
            told.contains("sslmod is not known") && told.contains("sslmode"),
            "{told}"
        );
        let told = refusal("postgres://anna@host/master?sslmode=secret");
        assert!(
            told.contains("sslmode") && told.contains("verify-full"),
            "{told}"
        );
        assert!(!told.contains("secret"), "{told}");
        let told = refusal("host=host keepalives_idle=soon");
        assert!(told.contains("whole seconds"), "{told}");
        let told = refusal("anna secret");
        assert!(told.contains("%40") && !told.contains("secret"), "{told}");
    }

    #[test]
    fn a_list_begins_with_any_parameter_and_blanks_as_libpq_allows_them() {
        for (names, _) in KNOWN.iter().chain(&REFUSED) {
            for name in names.split(", ") {
                for list in [
                    format!("{name}=x"),
                    format!(" {name} = x"),
                    format!("{name}\t='x' host=y"),
                ] {
                    assert!(begins_with_parameter(&list), "{list}");
                }
                for other in [
                    name.to_owned(),
                    format!("./{name}=x"),
                    format!("my_{name}=x"),
                    format!("{name} x=y"),
                ] {
                    assert!(!begins_with_parameter(&other), "{other}");
                }
            }
        }
    }

    #[test]
    fn the_page_names_every_parameter() {
        let page = include_str!("../../../docs/scale.md");
        for (names, _) in KNOWN.iter().chain(&REFUSED) {
            for name in names.split(", ") {
                assert!(page.contains(&format!("`{name}`")), "{name}");
            }
        }
    }
}
