//! How a service is set up, as management shows it. Whoever runs it says so when it starts, and nothing here changes it.

use serde::Serialize;

/// Where what is set comes from. A flag wins over the environment, that over the settings file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum SettingSource {
    /// A flag of the command line.
    Flag,
    /// A variable of the environment.
    Environment,
    /// The settings file.
    File,
    /// Nobody: it is what holds where nobody says anything.
    Default,
}

/// What a setting is counted in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum SettingUnit {
    /// Bytes.
    Bytes,
    /// Seconds.
    Seconds,
    /// Hours.
    Hours,
    /// Days.
    Days,
}

/// A setting.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct SettingView {
    /// Its name: the settings file has it under it, and the flag is `--` and it.
    pub name: String,
    /// The variable of the environment that it is taken from.
    pub variable: String,
    /// What it stands together with.
    pub group: String,
    /// What it does.
    pub about: String,
    /// Whether there is a value at all.
    pub is_set: bool,
    /// The value, as one writes it; absent where there is none, and where it is not told: what is secret, and where things
    /// of the machine are.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<String>,
    /// What the value is counted in; absent where it counts nothing of that kind.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unit: Option<SettingUnit>,
    /// What holds where nobody sets it, as one writes it; absent where that is nothing, where it depends on the machine, and
    /// where values are not told.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub default: Option<String>,
    /// Where the value comes from.
    pub source: SettingSource,
}

/// How the service is set up.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct SettingsView {
    /// Each setting; none where a program of its own has the service, which may tell nobody.
    pub items: Vec<SettingView>,
}
