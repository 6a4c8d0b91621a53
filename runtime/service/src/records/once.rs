//! A record that a form makes is made once, however often the form comes: pressed again while the first press is under way,
//! sent anew by a browser, by way of another server. The form brings a mark that its page has by chance; the random part of
//! the record's id is computed of the mark, of who sends it and of what was filled in, so that the record is found among the
//! newest changes of its dataset when the same comes again. What was filled in otherwise is another record: one may go back
//! to a form. What might be the same takes turns, on this server and among all that share the store.

use crate::{DatasetPermit, Permit as _, Refusal, Service, form_turns, ids};
use std::sync::Arc;
use std::time::Duration;
use store::StoreError;
use tracing::Instrument as _;

/// The newest changes of a dataset, among which a record is looked for that was made before.
const LOOKED_AT_MAX: usize = 1_000;
/// How long a server has a turn that it does not give back.
const TURN_TIME_MAX: Duration = Duration::from_secs(30);
/// How often it is asked whether another server gave a turn back, and how long after one another.
const LOOKS_MAX: u32 = 200;
const PAUSE: Duration = Duration::from_millis(50);
/// When to come back to turns that are not given back.
const RETRY_SECONDS: u64 = 5;

impl Service {
    /// Makes a record that a form with this mark was filled in for, if that was not done before; its id. It is done to its end
    /// even if who asks goes away meanwhile, as browsers do that send a form again.
    ///
    /// # Errors
    /// As [`create_record`](Self::create_record); [`Refusal::NotReady`] where another server does not come to an end.
    pub async fn create_record_once(
        self: &Arc<Self>,
        permit: &DatasetPermit,
        body: String,
        mark: &str,
    ) -> Result<String, Refusal> {
        let (by, dataset) = (permit.caller().id(), &permit.dataset().id);
        let nonce = ids::hash(&format!("{mark} {by} {dataset} {body}"));
        let (service, permit) = (self.clone(), permit.clone());
        let made = async move { service.in_its_turn(&permit, &body, nonce).await };
        let made = tokio::spawn(made.in_current_span()).await;
        made.map_err(|error| StoreError::from(std::io::Error::other(error)))?
    }

    /// Finds or makes a record, while nobody else does who might mean the same one.
    async fn in_its_turn(
        &self,
        permit: &DatasetPermit,
        body: &str,
        nonce: u64,
    ) -> Result<String, Refusal> {
        let _turn = self.form_turns.take(nonce).await;
        let name = format!("record-forms-{}", form_turns::turn_of(nonce));
        self.wait_for_servers(&name).await?;
        let made = self.find_or_make(permit, body, nonce).await;
        // what is not given back runs out
        let _ = self.let_go_of_lease(&name).await;
        made
    }

    /// Waits until no other server has a turn, and takes it.
    async fn wait_for_servers(&self, name: &str) -> Result<(), Refusal> {
        for _ in 0..LOOKS_MAX {
            if self.hold_lease(name, TURN_TIME_MAX, TURN_TIME_MAX).await? {
                return Ok(());
            }
            tokio::time::sleep(PAUSE).await;
        }
        Err(Refusal::NotReady {
            seconds: RETRY_SECONDS,
        })
    }

    async fn find_or_make(
        &self,
        permit: &DatasetPermit,
        body: &str,
        nonce: u64,
    ) -> Result<String, Refusal> {
        let datasets = vec![permit.dataset().number];
        let newest = self.store().newest_changes(datasets, LOOKED_AT_MAX).await?;
        for (_, id) in newest.into_iter().filter(|(_, id)| id.nonce == nonce) {
            // one that was deleted since is nobody's answer
            let found = self.store().get(id.place).await?;
            if found.is_some_and(|it| it.id == id && !it.deleted) {
                return Ok(self.ids.record(id));
            }
        }
        let made = self.create_with(permit, body.as_bytes(), nonce).await?;
        Ok(made.id)
    }
}
