//! The settings of the rooms below, as they come of what an operator set about a server.

use super::options::ServeOptions;
use crate::listener::TimeLimits;
use crate::plain_links::PlainLinks;
use server::DoorSettings;
use service::Settings;
use sqlite::{Access, SqliteOptions};
use std::time::Duration;

impl ServeOptions {
    pub(super) fn time_limits(&self) -> TimeLimits {
        TimeLimits {
            head: Duration::from_secs(self.head_seconds),
            reading: self.connections.reading_pace(),
            stop: Duration::from_secs(self.stop_seconds),
        }
    }

    pub(super) fn door(&self) -> DoorSettings {
        DoorSettings {
            public_url: self.public_url.clone(),
            has_metrics: self.metrics_listen.is_some(),
            ..self.door.settings()
        }
    }

    pub(super) fn store(&self) -> SqliteOptions {
        let default = SqliteOptions::default();
        SqliteOptions {
            create: self.create,
            without_log: self.without_log,
            access: if self.read_only {
                Access::Read
            } else {
                Access::WriteUnlessFull
            },
            record_cache_bytes: self
                .record_cache_bytes
                .unwrap_or(default.record_cache_bytes),
            ..default
        }
    }

    /// The service's settings, of a server that listens at `own_url`.
    pub(super) fn service(&self, own_url: &str, links: PlainLinks) -> Settings {
        let default = Settings::default();
        let public_url = self.public_url.as_deref().unwrap_or(own_url);
        Settings {
            page_size: self.page_size,
            page_size_max: self.page_size_max,
            page_bytes: self.page_bytes,
            page_cache_bytes: self.page_cache_bytes.unwrap_or(default.page_cache_bytes),
            memory_budget_bytes: self
                .memory_budget_bytes
                .map_or(default.memory_budget_bytes, |bytes| {
                    usize::try_from(bytes).unwrap_or(usize::MAX)
                }),
            body_bytes_max: self.body_bytes_max,
            operation_bytes_max: self.operation_bytes_max,
            bulk_bytes_max: self.bulk_bytes_max,
            body_time_max: Duration::from_secs(self.body_seconds),
            search_time_max: Duration::from_secs(self.search_seconds),
            session_idle_max: Duration::from_secs(self.session_idle_seconds),
            proof_age_max: Duration::from_secs(self.proof_seconds),
            initial_password_max: match self.initial_password_hours {
                0 => None,
                hours => Some(Duration::from_secs(u64::from(hours) * 3600)),
            },
            quotas: self.quotas.quotas(),
            jobs: self.jobs.settings(),
            retention: self.retention.settings(self.backups.is_on()),
            plain_webhooks: links.are_allowed,
            public_url: public_url.to_owned(),
            read_only: self.read_only,
            ..default
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;

    #[derive(Parser)]
    struct Command {
        #[command(flatten)]
        options: ServeOptions,
    }

    #[test]
    fn for_how_long_things_are_kept_reaches_the_service() {
        let flags = [
            "serve",
            "--keep-changes-days=1",
            "--keep-audit-days=2",
            "--keep-deleted-days=3",
            "--backup-dir=backups",
        ];
        let links = PlainLinks { are_allowed: false };
        let settings = Command::parse_from(flags)
            .options
            .service("http://here", links);
        let kept = settings.retention;
        let days = |days: u64| Some(Duration::from_secs(days * 24 * 3600));
        let expected = [days(1), days(2), days(3)];
        assert_eq!([kept.changes, kept.trail, kept.deleted], expected);
        assert!(kept.only_backed_up);
    }
}
