//! The address of a database, as libpq writes it, and what it leaves unsaid: that another machine is talked to by TLS, how long
//! a host is tried, when a way that went silent is given up, and that of several hosts the one is meant that takes writes.

use crate::error::Failure;
use crate::parameters::{begins_with_parameter, reason, torn};
use std::net::IpAddr;
use std::time::Duration;
use store::StoreError;
use tokio_postgres::Config;
use tokio_postgres::config::{Host, SslMode, TargetSessionAttrs};

/// The port of a host that says none.
const PORT: u16 = 5432;
/// How long one host is tried.
const HOST_WAIT: Duration = Duration::from_secs(3);
/// How long a connection says nothing before it is asked whether it is still there.
const SILENCE: Duration = Duration::from_secs(10);
/// How long after that it is asked again, and how often.
const ASK_AGAIN: Duration = Duration::from_secs(3);
const ASKED_MAX: u32 = 3;
/// How long what was sent may stay without a sign that it arrived.
const UNSEEN_MAX: Duration = Duration::from_secs(15);

/// What addresses begin with that are URLs.
const SCHEMES: [&str; 2] = ["postgres://", "postgresql://"];

/// Ways to say that the database is to prove who it is, which it always must here.
const SURER_THAN_REQUIRED: [&str; 2] = ["sslmode=verify-full", "sslmode=verify-ca"];

/// Whether a text is an address, be it one that can't be read, and no name of a folder.
pub fn is_address(text: &str) -> bool {
    let text = text.trim_start();
    let is_url = SCHEMES.iter().any(|scheme| text.starts_with(scheme));
    is_url || begins_with_parameter(text)
}

/// Whether an address has a password in it, which nobody else is to see. What is no address has none, nor has one that is cut where
/// no password begins; `parse` refuses that.
pub fn has_password(address: &str) -> bool {
    read(address).is_ok_and(|config| config.get_password().is_some())
}

/// An address as it may be shown: the database, its hosts and their ports, without users and secrets.
pub fn shown(address: &str) -> String {
    let Ok(config) = parse(address) else {
        return "the database".to_owned();
    };
    let database = config.get_dbname().or(config.get_user());
    let hosts = names_of_hosts(&config).join(",");
    format!("the database {} at {hosts}", database.unwrap_or_default())
}

/// The names of an address's hosts, with their ports.
pub(crate) fn names_of_hosts(config: &Config) -> Vec<String> {
    let named = config.get_hosts().iter().map(|host| match host {
        Host::Tcp(name) => name.clone(),
        #[cfg(unix)]
        Host::Unix(path) => path.display().to_string(),
    });
    let mut hosts: Vec<String> = named.collect();
    if hosts.is_empty() {
        hosts.extend(config.get_hostaddrs().iter().map(ToString::to_string));
    }
    let ports = config.get_ports();
    for (number, host) in hosts.iter_mut().enumerate() {
        let port = ports.get(number).or(ports.first()).unwrap_or(&PORT);
        *host = match &**host {
            // the file by which it is reached
            folder if folder.starts_with('/') => format!("{folder}/.s.PGSQL.{port}"),
            ip if ip.contains(':') => format!("[{ip}]:{port}"),
            name => format!("{name}:{port}"),
        };
    }
    hosts
}

/// Each host of an address, with what opens it alone, whether or not it takes writes.
pub(crate) fn each_host(config: &Config) -> Vec<crate::hosts::Host> {
    let (hosts, addresses) = (config.get_hosts(), config.get_hostaddrs());
    let ports = config.get_ports();
    let each = names_of_hosts(config).into_iter().enumerate();
    let each = each.map(|(at, name)| {
        let mut alone = without_hosts(config);
        match hosts.get(at) {
            Some(Host::Tcp(name)) => drop(alone.host(name)),
            #[cfg(unix)]
            Some(Host::Unix(path)) => drop(alone.host_path(path)),
            None => {}
        }
        if let Some(address) = addresses.get(at) {
            alone.hostaddr(*address);
        }
        if let Some(port) = ports.get(at).or(ports.first()) {
            alone.port(*port);
        }
        crate::hosts::Host {
            name,
            config: alone,
        }
    });
    each.collect()
}

/// All else that an address says.
fn without_hosts(config: &Config) -> Config {
    let mut alone = Config::new();
    alone
        .ssl_mode(config.get_ssl_mode())
        .ssl_negotiation(config.get_ssl_negotiation())
        .channel_binding(config.get_channel_binding())
        .keepalives(config.get_keepalives())
        .keepalives_idle(config.get_keepalives_idle())
        .target_session_attrs(TargetSessionAttrs::Any);
    if let Some(user) = config.get_user() {
        alone.user(user);
    }
    if let Some(password) = config.get_password() {
        alone.password(password);
    }
    if let Some(name) = config.get_dbname() {
        alone.dbname(name);
    }
    if let Some(options) = config.get_options() {
        alone.options(options);
    }
    if let Some(name) = config.get_application_name() {
        alone.application_name(name);
    }
    if let Some(time) = config.get_connect_timeout() {
        alone.connect_timeout(*time);
    }
    if let Some(time) = config.get_tcp_user_timeout() {
        alone.tcp_user_timeout(*time);
    }
    if let Some(time) = config.get_keepalives_interval() {
        alone.keepalives_interval(time);
    }
    if let Some(retries) = config.get_keepalives_retries() {
        alone.keepalives_retries(retries);
    }
    alone
}

/// What an address says, or why it can't be used, without any value of it.
fn parse(address: &str) -> Result<Config, String> {
    if is_torn(address) {
        return Err(torn());
    }
    let config = read(address).map_err(|error| reason(&error))?;
    let has_at = |host: &Host| matches!(host, Host::Tcp(name) if name.contains('@'));
    if config.get_hosts().iter().any(has_at) {
        return Err(torn());
    }
    // libpq reads it; here all of it would be the name of a database, which is shown
    if config.get_dbname().is_some_and(is_address) {
        return Err("its dbname is an address of its own; give that alone".to_owned());
    }
    Ok(config)
}

/// Whether the driver would cut a URL at the wrong place: it takes the first `@` for the one before the host. Where that is one of
/// a password, the rest of it would be shown as a host or a database, and looked up.
fn is_torn(address: &str) -> bool {
    let url = SCHEMES
        .iter()
        .find_map(|scheme| address.strip_prefix(scheme));
    let Some((user, place)) = url.and_then(|url| url.split_once('@')) else {
        return false;
    };
    let (place, query) = place.split_once('?').unwrap_or((place, ""));
    let is_cut = |part: &str| part.contains('@') && !begins_with_parameter(part);
    // an address without a user, which has its password among the parameters
    let is_query = user.split(['?', '&']).skip(1).any(begins_with_parameter);
    is_query || place.contains('@') || query.split('&').any(is_cut)
}

/// What the driver reads.
fn read(address: &str) -> Result<Config, tokio_postgres::Error> {
    let mut address = address.to_owned();
    for mode in SURER_THAN_REQUIRED {
        address = address.replace(mode, "sslmode=require");
    }
    address.parse()
}

/// What opens a database.
pub(crate) fn config(address: &str) -> Result<Config, Failure> {
    let mut config = parse(address).map_err(|why| StoreError::Address(why.into()))?;
    if !says_sslmode(address) && !is_on_this_machine(&config) {
        config.ssl_mode(SslMode::Require);
    }
    if config.get_application_name().is_none() {
        config.application_name("fieldstone");
    }
    if config.get_connect_timeout().is_none() {
        config.connect_timeout(HOST_WAIT);
    }
    if config.get_hosts().len() > 1 {
        config.target_session_attrs(TargetSessionAttrs::ReadWrite);
    }
    if config.get_keepalives_interval().is_none() {
        config.keepalives_idle(SILENCE);
        config.keepalives_interval(ASK_AGAIN);
        config.keepalives_retries(ASKED_MAX);
    }
    if config.get_tcp_user_timeout().is_none() {
        config.tcp_user_timeout(UNSEEN_MAX);
    }
    Ok(config)
}

/// Whether an address says itself how the link is to be encrypted.
fn says_sslmode(address: &str) -> bool {
    let mut after = address.split("sslmode").skip(1);
    after.any(|rest| rest.trim_start().starts_with('='))
}

/// Whether nothing of what is said to a database leaves this machine.
fn is_on_this_machine(config: &Config) -> bool {
    let is_own = |host: &Host| match host {
        Host::Tcp(name) => {
            let address: Option<IpAddr> = name.parse().ok();
            name == "localhost" || address.is_some_and(|it| it.is_loopback())
        }
        #[cfg(unix)]
        Host::Unix(_) => true,
    };
    config.get_hosts().iter().all(is_own) && config.get_hostaddrs().iter().all(IpAddr::is_loopback)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_machine_is_talked_to_by_tls_unless_the_address_says_otherwise() {
        for (address, expected) in [
            ("postgres://anna@db.example/master", SslMode::Require),
            (
                "postgres://anna@localhost,10.0.0.1/master",
                SslMode::Require,
            ),
            (
                "host=localhost hostaddr=10.0.0.1 user=anna",
                SslMode::Require,
            ),
            (
                "postgres://anna@db.example/master?sslmode=disable",
                SslMode::Disable,
            ),
            (
                "host=db.example sslmode = prefer user=anna",
                SslMode::Prefer,
            ),
            (
                "postgres://anna@127.0.0.1,localhost/master",
                SslMode::Prefer,
            ),
            ("host=/run/postgresql user=anna", SslMode::Prefer),
        ] {
            let config = config(address).unwrap();
            assert_eq!(config.get_ssl_mode(), expected, "{address}");
        }
    }

    #[test]
    fn of_several_hosts_the_one_is_meant_that_takes_writes() {
        let address = "postgres://anna@one,two:6432/master?sslmode=verify-full";
        let config = config(address).unwrap();
        assert_eq!(config.get_hosts().len(), 2);
        assert_eq!(
            config.get_target_session_attrs(),
            TargetSessionAttrs::ReadWrite
        );
        assert_eq!(config.get_connect_timeout(), Some(&HOST_WAIT));
        assert!(config.get_keepalives());
        assert_eq!(config.get_keepalives_idle(), SILENCE);
        assert_eq!(config.get_keepalives_interval(), Some(ASK_AGAIN));
        assert_eq!(config.get_keepalives_retries(), Some(ASKED_MAX));
        assert_eq!(config.get_tcp_user_timeout(), Some(&UNSEEN_MAX));
        assert_eq!(shown(address), "the database master at one:5432,two:6432");
    }

    #[test]
    fn each_host_of_an_address_is_opened_as_the_address_says() {
        let address = "host=one,two hostaddr=10.0.0.1,10.0.0.2 port=5432,6432 user=anna password=secret dbname=master \
             options='-c search_path=master' application_name=test connect_timeout=7 tcp_user_timeout=8 keepalives_idle=9 \
             keepalives_interval=2 keepalives_retries=5 sslmode=require channel_binding=require";
        let config = config(address).unwrap();
        let hosts = each_host(&config);
        let names: Vec<_> = hosts.iter().map(|host| &*host.name).collect();
        assert_eq!(names, ["one:5432", "two:6432"]);
        let alone = format!("{:?}", hosts[1].config);
        let written = "host=two hostaddr=10.0.0.2 port=6432 user=anna password=secret dbname=master \
             options='-c search_path=master' application_name=test connect_timeout=7 tcp_user_timeout=8 keepalives_idle=9 \
             keepalives_interval=2 keepalives_retries=5 sslmode=require channel_binding=require";
        let written: Config = written.parse().unwrap();
        assert_eq!(alone, format!("{written:?}"));
    }

    #[test]
    fn an_address_that_says_more_than_can_be_done_is_refused() {
        let address = "postgres://anna:secret@host/master?sslmode=verify-full&sslcert=mine.pem";
        let refused = config(address);
        let told = format!("{:?}", refused.unwrap_err());
        assert!(
            told.contains("sslcert") && !told.contains("secret"),
            "{told}"
        );
    }

    #[test]
    fn an_address_is_a_url_or_begins_with_a_parameter() {
        for address in [
            "postgres://anna@host/master",
            " postgresql:///master",
            "user=anna host=db",
            "sslmode = require host=db",
        ] {
            assert!(is_address(address), "{address}");
        }
        for folder in ["data", "postgres", "./user=anna", "/srv/host=db"] {
            assert!(!is_address(folder), "{folder}");
        }
    }

    #[test]
    fn an_address_is_shown_without_its_password() {
        let address = "postgres://anna:secret@host/master";
        assert!(has_password(address) && !has_password("host=/tmp user=anna"));
        assert_eq!(shown(address), "the database master at host:5432");
    }

    #[test]
    fn an_address_is_shown_with_the_port_or_the_file_by_which_it_is_reached() {
        for (address, expected) in [
            (
                "host=/run/pg port=6432 dbname=master",
                "/run/pg/.s.PGSQL.6432",
            ),
            ("hostaddr=::1 dbname=master", "[::1]:5432"),
            ("host=one,two port=6432 dbname=master", "one:6432,two:6432"),
        ] {
            let expected = format!("the database master at {expected}");
            assert_eq!(shown(address), expected);
        }
    }

    #[test]
    fn a_password_with_an_at_sign_that_is_not_escaped_is_refused_and_no_piece_of_it_shown() {
        for address in [
            "postgres://anna:p@hidden@host/master",
            "postgres://anna:p@hidden:hidden@host:5432/master",
            "postgres://anna:p@hidden/hidden@host/master",
            "postgres://anna:p@hidden#hidden@host/master",
            "postgres://anna:p@hidden?hidden=hidden@host/master",
            "postgres://anna:p@hidden%40host/master",
            "postgresql://host:5432/master?user=anna&password=p@hidden",
            "postgresql://host/master?password=p@hidden&sslmode=require",
            "host=p@hidden user=anna",
        ] {
            assert_eq!(shown(address), "the database", "{address}");
            let refused = config(address);
            let told = format!("{:?}", refused.unwrap_err());
            assert!(told.contains("%40") && !told.contains("hidden"), "{told}");
        }
        assert!(has_password("postgres://anna:p@hidden@host/master"));
    }

    #[test]
    fn an_address_in_place_of_a_name_is_refused_and_not_shown() {
        for address in [
            "dbname=postgres://anna:hidden@host/master",
            "host=host dbname='user=anna password=hidden'",
        ] {
            assert_eq!(shown(address), "the database", "{address}");
            let refused = config(address);
            let told = format!("{:?}", refused.unwrap_err());
            assert!(
                told.contains("dbname") && !told.contains("hidden"),
                "{told}"
            );
        }
    }

    #[test]
    fn what_else_a_password_has_is_read_as_it_stands() {
        for (address, password) in [
            ("postgres://anna:p%40ss@host/master", "p@ss"),
            ("postgres://anna:p/s?s:w#rd@host/master", "p/s?s:w#rd"),
            ("postgres://anna@host/master?password=p@ss", "p@ss"),
            ("host=host user=anna dbname=master password=p@ss", "p@ss"),
        ] {
            let config = config(address).unwrap();
            assert_eq!(config.get_password(), Some(password.as_bytes()));
            assert_eq!(shown(address), "the database master at host:5432");
        }
    }
}
