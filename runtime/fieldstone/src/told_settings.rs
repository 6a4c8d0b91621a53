//! The settings of a server as its administrators are told them: each with its names, what holds, and where that comes
//! from. They are declared once, as flags; this reads the declarations.

use crate::settings_file::is_setting;
use clap::parser::ValueSource;
use clap::{Arg, ArgMatches, Command};
use service::manage::{SettingSource, SettingUnit, SettingView};
use std::collections::BTreeSet;
use std::ffi::OsStr;

/// What values are that are told: numbers, words, and what clients see anyway. Of all others (files, addresses, keys) only
/// that there are some: who administers a tenant need not be who runs the machine.
const TOLD: [&str; 10] = [
    "BYTES", "COUNT", "DAYS", "FORMAT", "HOURS", "LEVEL", "NUMBER", "ORIGIN", "PATH", "SECONDS",
];
/// The address that each client uses.
const PUBLIC: &str = "public-url";

/// Each setting of `serve`, in the order of its help; nothing of another command. `in_file` names those that the settings
/// file has.
pub(crate) fn told(
    command: &Command,
    matches: &ArgMatches,
    in_file: &BTreeSet<String>,
) -> Vec<SettingView> {
    let Some(("serve", below)) = matches.subcommand() else {
        return Vec::new();
    };
    let own = command.find_subcommand("serve").into_iter();
    let own = own.flat_map(Command::get_arguments);
    let common = command.get_arguments();
    let all = own
        .map(|arg| (arg, below))
        .chain(common.map(|arg| (arg, matches)));
    all.filter_map(|(arg, matches)| view(arg, matches, in_file))
        .collect()
}

/// A setting; nothing of what is none.
fn view(arg: &Arg, matches: &ArgMatches, in_file: &BTreeSet<String>) -> Option<SettingView> {
    let name = arg.get_long().filter(|_| is_setting(arg))?;
    let id = arg.get_id().as_str();
    let values = matches.get_raw(id).into_iter().flatten();
    let values: Vec<_> = values.map(OsStr::to_string_lossy).collect();
    let value = Some(values.join(",")).filter(|value| !value.is_empty());
    Some(SettingView {
        name: name.to_owned(),
        variable: arg.get_env()?.to_string_lossy().into_owned(),
        group: arg.get_help_heading().unwrap_or_default().to_owned(),
        about: arg.get_help().map(ToString::to_string).unwrap_or_default(),
        is_set: value.is_some(),
        value: value.filter(|_| is_told(arg, name)),
        default: default_of(arg).filter(|_| is_told(arg, name)),
        unit: match kind_of(arg) {
            "BYTES" => Some(SettingUnit::Bytes),
            "SECONDS" => Some(SettingUnit::Seconds),
            "HOURS" => Some(SettingUnit::Hours),
            "DAYS" => Some(SettingUnit::Days),
            _ => None,
        },
        source: match matches.value_source(id) {
            Some(ValueSource::CommandLine) => SettingSource::Flag,
            Some(ValueSource::EnvVariable) => SettingSource::Environment,
            _ if in_file.contains(name) => SettingSource::File,
            _ => SettingSource::Default,
        },
    })
}

/// What holds where nobody sets it.
fn default_of(arg: &Arg) -> Option<String> {
    if !arg.get_action().takes_values() {
        return Some("false".to_owned());
    }
    let values = arg.get_default_values().iter();
    let values: Vec<_> = values.map(|value| value.to_string_lossy()).collect();
    Some(values.join(",")).filter(|value| !value.is_empty())
}

/// Whether administrators are told a value, and not only that there is one.
fn is_told(arg: &Arg, name: &str) -> bool {
    let is_switch = !arg.get_action().takes_values();
    let is_harmless = is_switch || TOLD.contains(&kind_of(arg)) || name == PUBLIC;
    !arg.is_hide_env_values_set() && is_harmless
}

/// What the help calls its value.
fn kind_of(arg: &Arg) -> &str {
    let kind = arg.get_value_names().and_then(|names| names.first());
    kind.map_or("", |kind| kind.as_str())
}

/// Says of settings that nobody set what the server takes in their place.
pub(crate) fn fill_in(all: &mut [SettingView], taken: &[(&str, String)]) {
    for (name, value) in taken {
        let unset = all.iter_mut().find(|it| it.name == *name && !it.is_set);
        if let Some(setting) = unset {
            setting.is_set = true;
            setting.value = Some(value.clone());
        }
    }
}

/// Says of settings that hold no more than this, whatever they were set to, what holds of them.
pub(crate) fn bound(all: &mut [SettingView], names: &[&str], most: usize) {
    for setting in all.iter_mut().filter(|it| names.contains(&&*it.name)) {
        let value = setting.value.as_deref().unwrap_or_default();
        if value.parse::<usize>().is_ok_and(|value| value > most) {
            setting.value = Some(most.to_string());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arguments::Arguments;
    use clap::CommandFactory as _;

    fn told_of(flags: &[&str], in_file: &[&str]) -> Vec<SettingView> {
        let arguments = std::iter::once("fieldstone").chain(flags.iter().copied());
        let matches = Arguments::command().try_get_matches_from(arguments);
        let matches = matches.expect("a command line");
        let in_file = in_file.iter().map(|&name| name.to_owned()).collect();
        told(&Arguments::command(), &matches, &in_file)
    }

    fn one<'a>(all: &'a [SettingView], name: &str) -> &'a SettingView {
        let found = all.iter().find(|it| it.name == name);
        found.expect(name)
    }

    #[test]
    fn a_setting_has_its_value_its_unit_its_names_and_where_it_comes_from() {
        let all = told_of(
            &["serve", "--quota-job-bytes=7", "--read-only"],
            &["backup-keep"],
        );
        let quota = one(&all, "quota-job-bytes");
        assert_eq!(quota.value.as_deref(), Some("7"));
        assert_eq!(quota.unit, Some(SettingUnit::Bytes));
        assert_eq!(quota.variable, "FIELDSTONE_QUOTA_JOB_BYTES");
        assert_eq!(quota.group, "Settings of quotas");
        assert_eq!(quota.source, SettingSource::Flag);
        let read_only = one(&all, "read-only");
        assert_eq!(read_only.value.as_deref(), Some("true"));
        let demo = one(&all, "demo");
        assert_eq!(demo.value.as_deref(), Some("false"));
        assert_eq!(demo.source, SettingSource::Default);
        assert_eq!(one(&all, "backup-keep").source, SettingSource::File);
        // what would hold otherwise is told where values are, and where it is one
        let default = |name: &str| one(&all, name).default.as_deref();
        assert_eq!(default("backup-keep"), Some("7"));
        assert_eq!(default("read-only"), Some("false"));
        assert_eq!(
            (default("keep-audit-days"), default("listen")),
            (None, None)
        );
        let days = one(&all, "keep-audit-days");
        assert_eq!((days.is_set, &days.value), (false, &None));
        assert!(
            all.iter()
                .all(|it| !it.about.is_empty() && !it.group.is_empty())
        );
        // for one start alone, and so no setting
        assert!(
            all.iter()
                .all(|it| it.name != "create" && it.name != "config")
        );
        assert!(told_of(&["health"], &[]).is_empty());
    }

    #[test]
    fn of_secrets_and_of_what_tells_of_the_machine_only_that_it_is_set_is_told() {
        let flags = [
            "serve",
            "--database=postgres://db.internal/masters",
            "--tls-key=/etc/fieldstone/own.key",
            "--s3-secret-access-key=geheim",
            "--s3-access-key-id=the-id",
            "--breached-passwords=/etc/fieldstone/words",
            "--metrics-listen=10.0.0.1:9",
            "--traces-to=http://collector.internal:4318",
            "--public-url=https://data.example",
            "--cors-origin=https://a.example,https://b.example",
        ];
        let all = told_of(&flags, &[]);
        for flag in &flags[1..8] {
            let (name, value) = flag.split_once('=').expect("a value");
            let setting = one(&all, name.trim_start_matches("--"));
            assert_eq!((setting.is_set, &setting.value), (true, &None), "{name}");
            assert!(!format!("{all:?}").contains(value), "{name}");
        }
        let told = |name: &str| one(&all, name).value.as_deref();
        assert_eq!(told("public-url"), Some("https://data.example"));
        let origins = "https://a.example,https://b.example";
        assert_eq!(told("cors-origin"), Some(origins));
    }

    /// Settings whose values are told. Whoever makes a setting decides whether it is one of these.
    const TOLD_NAMES: &str = "
        accept-bearer allow-plain-links answer-bytes-per-second-min answer-seconds backup-every backup-keep
        backup-keep-days body-bytes-max body-seconds bulk-bytes-max connections-max
        connections-per-address-max cors-origin database-answer-seconds database-connections demo
        demo-records file-bytes-max format head-seconds import-bytes-max
        import-unpacked-times initial-password-hours
        job-files-days job-running-max job-waiting-max job-workers keep-audit-days
        keep-changes-days keep-deleted-days link-seconds log log-format log-sample
        memory-budget-bytes no-revalidation operation-bytes-max orphan-seconds page-bytes page-cache-bytes page-size
        page-size-max pages-path proof-seconds public-url quota-catalog-bytes quota-domain-codes quota-file-bytes
        quota-job-bytes quota-records quota-resources quota-schema-versions quota-sessions quota-webhooks read-only
        record-cache-bytes requests-per-second-max search-seconds
        session-idle-seconds stop-seconds store-warn-bytes traces-percent webhook-dead-days
        webhooks-to-private-addresses
    ";
    /// Settings of which only is told that they are set.
    const KEPT_BACK: &str = "
        backup-dir breached-passwords data database
        database-password-file database-root-certificates listen metrics-listen s3-access-key-id
        s3-bucket s3-endpoint s3-prefix s3-region s3-secret-access-key s3-secret-access-key-file
        signing-secret-file tls-cert tls-key traces-to trusted-proxy
    ";

    #[test]
    fn of_each_setting_it_was_decided_whether_its_value_is_told() {
        let command = Arguments::command();
        let serve = command.find_subcommand("serve").expect("a command");
        let all = serve.get_arguments().chain(command.get_arguments());
        let settings = all.filter(|arg| is_setting(arg));
        let named = settings.filter_map(|arg| Some((arg, arg.get_long()?)));
        let (told, kept_back): (Vec<_>, Vec<_>) = named.partition(|(arg, name)| is_told(arg, name));
        for (found, decided) in [(told, TOLD_NAMES), (kept_back, KEPT_BACK)] {
            let found: BTreeSet<_> = found.into_iter().map(|(_, name)| name).collect();
            let decided: BTreeSet<_> = decided.split_whitespace().collect();
            assert_eq!(found, decided);
        }
    }

    #[test]
    fn what_a_server_takes_stands_where_nobody_set_anything() {
        let mut all = told_of(&["serve", "--connections-max=9"], &[]);
        let taken = [
            ("connections-max", "1".to_owned()),
            ("memory-budget-bytes", "2".to_owned()),
        ];
        fill_in(&mut all, &taken);
        assert_eq!(one(&all, "connections-max").value.as_deref(), Some("9"));
        let filled = one(&all, "memory-budget-bytes");
        assert_eq!(filled.value.as_deref(), Some("2"));
        assert_eq!(filled.source, SettingSource::Default);
    }

    #[test]
    fn of_a_setting_that_another_bounds_what_holds_is_told() {
        let flags = ["serve", "--operation-bytes-max=9", "--bulk-bytes-max=3"];
        let mut all = told_of(&flags, &[]);
        bound(&mut all, &["operation-bytes-max", "bulk-bytes-max"], 4);
        let told = |name: &str| one(&all, name).value.as_deref();
        assert_eq!(told("operation-bytes-max"), Some("4"));
        assert_eq!(told("bulk-bytes-max"), Some("3"));
        assert_eq!(told("body-bytes-max"), Some("1048576"));
    }
}
