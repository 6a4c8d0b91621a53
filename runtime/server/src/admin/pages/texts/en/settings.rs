//! The texts of how the service is set up in English: what each setting does, management says in English already.

use super::super::settings::SettingTexts;

pub(super) const TEXTS: SettingTexts = SettingTexts {
    about: &[],
    groups: GROUPS,
    counted_days: ["day", "days"],
    counted_hours: ["hour", "hours"],
    counted_seconds: ["second", "seconds"],
    from_default: "default",
    from_environment: "from the environment",
    from_file: "from the settings file",
    from_flag: "from the command line",
    not_set: "not set",
    off: "off",
    on: "on",
    none_set: "Everything has its default.",
    only_set: "Only what differs from its default",
    title: "How the service is set up",
    untold: "set, not shown",
    what: "Whoever runs the service sets this when it starts: by an option on the command line, by an environment variable, or in the settings file, where each setting has the name of its option, without the dashes. An option takes precedence over a variable, and that over the file. Secrets, and places on the machine such as folders, are not shown.",
};

const GROUPS: &[(&str, &str)] = &[
    ("Settings of the server", "Server"),
    ("Settings of uploaded files", "Uploaded files"),
    ("Settings of quotas", "Limits of each organisation (tenant)"),
    ("Settings of jobs", "Jobs"),
    ("Settings of webhooks", "Webhooks"),
    ("Settings of backups", "Backups"),
    ("Settings of retention", "How long things are kept"),
    ("Settings of traces", "Traces"),
    ("Settings of every command", "Folder and log"),
    ("Settings of a database", "Database"),
];
