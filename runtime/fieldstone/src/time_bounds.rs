//! How long a setting that is a time may be. Behind these, what is meant is that there is no limit, and what is added to a
//! moment may not be a moment any more.

/// Seconds of a year.
pub(crate) const YEAR_SECONDS: u64 = 365 * 24 * 3600;
/// The same, of settings that are read as smaller numbers.
pub(crate) const YEAR_SECONDS_SMALL: i64 = 365 * 24 * 3600;
/// Hours of a year.
pub(crate) const YEAR_HOURS: i64 = 365 * 24;
/// Days of a hundred years.
pub(crate) const CENTURY_DAYS: i64 = 36_500;
/// Hours of a hundred years.
pub(crate) const CENTURY_HOURS: i64 = 24 * CENTURY_DAYS;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arguments::Arguments;
    use crate::settings_file::is_setting;
    use clap::CommandFactory as _;

    #[test]
    fn each_setting_that_is_a_time_has_an_end_which_its_help_tells() {
        let command = Arguments::command();
        let serve = command.find_subcommand("serve").expect("a command");
        let all = serve.get_arguments().chain(command.get_arguments());
        let mut names = Vec::new();
        for arg in all.filter(|arg| is_setting(arg)) {
            let kinds = arg.get_value_names().unwrap_or_default();
            let kind = kinds.first().map_or("", |kind| kind.as_str());
            let name = arg.get_long().expect("a flag");
            let most = match (name, kind) {
                ("database-answer-seconds", _) => 3600,
                ("backup-every", _) => CENTURY_HOURS.unsigned_abs(),
                (_, "SECONDS") => YEAR_SECONDS,
                (_, "HOURS") => YEAR_HOURS.unsigned_abs(),
                (_, "DAYS") => CENTURY_DAYS.unsigned_abs(),
                _ => continue,
            };
            let is_taken = |value: u64| {
                let flag = format!("--{name}={value}");
                let command = Arguments::command();
                command
                    .try_get_matches_from(["fieldstone", "serve", &flag])
                    .is_ok()
            };
            assert!(is_taken(most), "{name}");
            for more in [most + 1, u64::from(u32::MAX), u64::MAX >> 1, u64::MAX] {
                assert!(!is_taken(more), "{name}: {more}");
            }
            let help = arg.get_help().map(ToString::to_string);
            let help = help.unwrap_or_default();
            assert!(help.contains(" at most"), "{name}: {help}");
            names.push(name);
        }
        assert!(
            names.contains(&"head-seconds") && names.len() > 14,
            "{names:?}"
        );
    }
}
