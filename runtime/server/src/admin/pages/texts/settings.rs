//! The texts of how the service is set up, a part of every language's.

use super::counted::{OneOrMany, one_or_many};
use service::manage::{SettingSource, SettingUnit, SettingView};

/// What settings do, by their names.
pub(super) type About = &'static [(&'static str, &'static str)];

/// Those of one language.
pub(in crate::admin::pages) struct SettingTexts {
    /// Of a setting that is in none of them, management's own sentence stands.
    pub(super) about: &'static [About],
    /// What settings that stand together are called, by what management calls them.
    pub(super) groups: &'static [(&'static str, &'static str)],
    pub(super) counted_days: OneOrMany,
    pub(super) counted_hours: OneOrMany,
    pub(super) counted_seconds: OneOrMany,
    pub(super) from_default: &'static str,
    pub(super) from_environment: &'static str,
    pub(super) from_file: &'static str,
    pub(super) from_flag: &'static str,
    pub(in crate::admin::pages) not_set: &'static str,
    pub(in crate::admin::pages) off: &'static str,
    pub(in crate::admin::pages) on: &'static str,
    pub(in crate::admin::pages) none_set: &'static str,
    /// What leaves out what has its default.
    pub(in crate::admin::pages) only_set: &'static str,
    pub(in crate::admin::pages) title: &'static str,
    pub(in crate::admin::pages) untold: &'static str,
    pub(in crate::admin::pages) what: &'static str,
}

impl SettingTexts {
    /// What a setting does.
    pub(in crate::admin::pages) fn about(&self, setting: &SettingView) -> String {
        let mut all = self.about.iter().copied().flatten();
        let own = all.find(|(name, _)| *name == setting.name);
        own.map_or(&*setting.about, |(_, text)| text).to_owned()
    }

    /// What settings that stand together are called.
    pub(in crate::admin::pages) fn group(&self, group: &str) -> String {
        let own = self.groups.iter().find(|(own, _)| *own == group);
        own.map_or(group, |(_, text)| text).to_owned()
    }

    /// Where a value comes from.
    pub(in crate::admin::pages) fn source(&self, source: SettingSource) -> &'static str {
        match source {
            SettingSource::Flag => self.from_flag,
            SettingSource::Environment => self.from_environment,
            SettingSource::File => self.from_file,
            SettingSource::Default => self.from_default,
        }
    }

    /// What so many seconds, hours or days are called; nothing of bytes, which have units of their own.
    pub(in crate::admin::pages) fn of_unit(&self, unit: SettingUnit, count: &str) -> &'static str {
        match unit {
            SettingUnit::Bytes => "",
            SettingUnit::Seconds => one_or_many(self.counted_seconds, count),
            SettingUnit::Hours => one_or_many(self.counted_hours, count),
            SettingUnit::Days => one_or_many(self.counted_days, count),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::ALL;

    #[test]
    fn each_setting_and_each_group_is_there_once() {
        for texts in ALL {
            let own = &texts.settings;
            let about: Vec<_> = own.about.iter().copied().flatten().collect();
            for (name, _) in &about {
                let again = about.iter().filter(|(other, _)| other == name);
                assert_eq!(again.count(), 1, "{}: {name}", texts.code);
            }
            for (name, _) in own.groups {
                let again = own.groups.iter().filter(|(other, _)| other == name);
                assert_eq!(again.count(), 1, "{}: {name}", texts.code);
            }
        }
    }
}
