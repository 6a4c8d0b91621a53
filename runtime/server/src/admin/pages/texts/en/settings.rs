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
    title: "How the service is set up",
    untold: "set, not shown",
    what: "Whoever runs the service says this when it starts: by a flag, by a variable of the environment, or in the settings file, where each has its flag's name without the dashes. A flag wins over a variable, and that over the file. Nothing of it can be changed here. Secrets, and where things of the machine are, are not shown.",
};

const GROUPS: &[(&str, &str)] = &[
    ("Settings of the server", "Server"),
    ("Settings of uploaded files", "Uploaded files"),
    ("Settings of quotas", "Quotas of each tenant"),
    ("Settings of jobs", "Jobs"),
    ("Settings of webhooks", "Webhooks"),
    ("Settings of backups", "Backups"),
    ("Settings of retention", "How long things are kept"),
    ("Settings of traces", "Traces"),
    ("Settings of every command", "Folder and log"),
    ("Settings of a database", "Database"),
];
