//! What is asked: each scenario makes a request, sends it, and compares the whole answer.

use crate::client::Connection;
use crate::pocketbase;
use crate::records::{Record, shown, stock};
use crate::target::{Chance, Kind, Target};
use anyhow::ensure;
use std::sync::Arc;
use std::sync::atomic::Ordering;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Scenario {
    Get,
    List,
    Create,
    Update,
    Mix,
    SearchRare,
    SearchCommon,
}

impl Scenario {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Scenario::Get => "GET by primary key",
            Scenario::List => "list, page of 100",
            Scenario::Create => "create",
            Scenario::Update => "update",
            Scenario::Mix => "90 % GET, 10 % update",
            Scenario::SearchRare => "search, a word of one record",
            Scenario::SearchCommon => "search, a word of each eighth record",
        }
    }

    /// Whether its time ends only when the search index has seen its writes.
    pub(crate) fn writes(self) -> bool {
        matches!(self, Scenario::Create | Scenario::Update | Scenario::Mix)
    }
}

/// One of the connections, and the records that it alone updates: so it always knows their versions.
pub(crate) struct Asker {
    pub(crate) target: Arc<Target>,
    pub(crate) connection: Connection,
    pub(crate) chance: Chance,
    pub(crate) number: u64,
    pub(crate) of: u64,
    /// What is expected next, or sent.
    pub(crate) record: Record<String>,
}

impl Asker {
    pub(crate) async fn ask(&mut self, scenario: Scenario) -> anyhow::Result<()> {
        match scenario {
            Scenario::List => self.list().await,
            Scenario::Create => self.create().await,
            Scenario::Update => self.update().await,
            Scenario::Mix if self.chance.next().is_multiple_of(10) => self.update().await,
            Scenario::Get | Scenario::Mix => self.get().await,
            Scenario::SearchRare => self.search(false).await,
            Scenario::SearchCommon => self.search(true).await,
        }
    }

    async fn get(&mut self) -> anyhow::Result<()> {
        let number = self.chance.next() % self.target.seeded;
        self.get_number(number).await
    }

    /// Reads a record by its primary key.
    pub(crate) async fn get_number(&mut self, number: u64) -> anyhow::Result<()> {
        let target = &*self.target;
        self.record.become_number(number);
        let request = target.get(&self.record.code);
        if target.kind == Kind::PocketBase {
            let body = self.connection.expect(200, &request).await?;
            return pocketbase::check_found(&self.record, body);
        }
        let index = Target::index(number);
        let known = target.versions[index].load(Ordering::Relaxed);
        let shown = shown(self.connection.expect(200, &request).await?)?;
        ensure!(
            shown.version >= known,
            "a read is older than a write before it"
        );
        ensure!(
            shown.id == target.ids.get(index),
            "an answer has another id"
        );
        self.record.check(number, &shown)
    }

    async fn list(&mut self) -> anyhow::Result<()> {
        let (request, expected) = self.target.page(self.chance.next());
        let body = self.connection.expect(200, request).await?;
        ensure!(body == expected, "a page differs from what it was");
        Ok(())
    }

    async fn search(&mut self, is_common: bool) -> anyhow::Result<()> {
        let (request, expected) = self.target.search(self.chance.next(), is_common);
        let body = self.connection.expect(200, request).await?;
        ensure!(
            body == expected,
            "a search finds something else than before"
        );
        Ok(())
    }

    async fn create(&mut self) -> anyhow::Result<()> {
        let number = self.target.next.fetch_add(1, Ordering::Relaxed);
        self.record.become_number(number);
        let body = serde_json::to_string(&self.record)?;
        let request = self.target.request("POST", &self.target.path, Some(&body));
        if self.target.kind == Kind::PocketBase {
            let body = self.connection.expect(200, &request).await?;
            return pocketbase::check_created(&self.record, body);
        }
        let shown = shown(self.connection.expect(201, &request).await?)?;
        ensure!(
            shown.version == 0,
            "a new record has version {}",
            shown.version
        );
        self.record.check(number, &shown)
    }

    async fn update(&mut self) -> anyhow::Result<()> {
        let target = &*self.target;
        let own = target.seeded / self.of;
        let number = self.chance.next() % own * self.of + self.number;
        let index = Target::index(number);
        let version = target.versions[index].load(Ordering::Relaxed);
        let body = format!(
            "{{\"_version\":{version},\"Stock\":{}}}",
            stock(number, version + 1)
        );
        let path = format!("{}/{}", target.path, target.ids.get(index));
        let request = target.request("PUT", &path, Some(&body));
        let answer = self.connection.expect(204, &request).await?;
        ensure!(answer.is_empty(), "an update is answered with a body");
        if target.kind == Kind::Service {
            target.versions[index].store(version + 1, Ordering::Relaxed);
        }
        Ok(())
    }
}
