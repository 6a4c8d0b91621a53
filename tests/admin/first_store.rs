//! The store that each test of management begins with: made once in a process, through the service, and copied
//! for each server.

use runtime::service::manage::{
    ADMINISTRATOR, NewApiKey, NewUser, Operator, SignInOrigin, TenantContent,
};
use runtime::service::{Service, Settings};
use std::ffi::OsString;
use std::fs::DirEntry;
use std::sync::{Arc, LazyLock};
use tempfile::TempDir;
use tests::clock::{ManualClock, SeededEntropy};
use tests::engine;

pub(crate) const PASSWORD: &str = "a long password of ada's";

/// A store with a tenant, ada, a session of hers and the administrator's key, as it lies on the disk. It is made once, through
/// the service: a password takes its time, and most tests never ask for ada's.
pub(crate) struct FirstStore {
    files: Vec<(OsString, Vec<u8>)>,
    pub(crate) nouns: FirstNouns,
}

/// What is in the first store: ids and secrets.
#[derive(Clone)]
pub(crate) struct FirstNouns {
    pub(crate) tenant: String,
    pub(crate) ada: String,
    /// The secret of a session of ada's.
    pub(crate) session: String,
    pub(crate) root: String,
}

/// See [`FirstStore`].
pub(crate) static FIRST_STORE: LazyLock<FirstStore> = LazyLock::new(|| {
    let folder = tempfile::tempdir().expect("a folder");
    let tokio = tokio::runtime::Runtime::new().expect("a runtime");
    let nouns = tokio.block_on(async {
        let store = if engine::is_database() {
            engine::open_first().await.store
        } else {
            engine::open(folder.path()).await.store
        };
        let (clock, entropy) = (ManualClock::default(), SeededEntropy::default());
        let (clock, entropy) = (Arc::new(clock), Arc::new(entropy));
        let service = Service::new(store, clock, entropy, Settings::default()).await;
        let service = service.expect("a service");
        first_nouns(&service, &Operator::of_this_machine("a test")).await
    });
    // whatever still has the store lets go of it
    drop(tokio);
    let entries = std::fs::read_dir(folder.path()).expect("the folder");
    let read = |entry: DirEntry| {
        let content = std::fs::read(entry.path()).expect("a file of the store");
        (entry.file_name(), content)
    };
    FirstStore {
        files: entries
            .map(|entry| read(entry.expect("an entry")))
            .collect(),
        nouns,
    }
});

impl FirstStore {
    /// A folder of its own with this store in it.
    pub(crate) fn copy(&self) -> TempDir {
        let folder = tempfile::tempdir().expect("a folder");
        for (name, content) in &self.files {
            std::fs::write(folder.path().join(name), content).expect("written");
        }
        folder
    }
}

async fn first_nouns(service: &Service, operator: &Operator) -> FirstNouns {
    let name = "Acme".to_owned();
    let tenant = service
        .create_tenant(operator, TenantContent { name })
        .await;
    let tenant = tenant.expect("a tenant").id.clone();
    let by = service.operator(operator, &tenant).expect("the operator");
    let roles = service.store().catalog();
    let mut roles = roles.roles.values();
    let role = roles.find(|role| role.tenant == tenant && role.name == ADMINISTRATOR);
    let roles = vec![role.expect("the built-in role").id.clone()];
    let ada = NewUser {
        username: "ada".to_owned(),
        full_name: "Ada Lovelace".to_owned(),
        email: "ada@example.org".to_owned(),
        password: PASSWORD.into(),
        must_change_password: false,
        second_factor_required: false,
        active: true,
        roles: roles.clone(),
        grants: Vec::new(),
    };
    let ada = service
        .users()
        .register(&by, ada)
        .await
        .expect("a user")
        .id
        .clone();
    let root = NewApiKey {
        name: "root".to_owned(),
        description: String::new(),
        expires_at: None,
        ends_with_maker: false,
        active: true,
        roles,
        grants: Vec::new(),
    };
    let root = service
        .api_keys()
        .mint(&by, root)
        .await
        .expect("a key")
        .secret;
    let (password, origin) = (PASSWORD.into(), SignInOrigin::default());
    let session = service.sign_in("ada".into(), &password, &origin).await;
    FirstNouns {
        tenant,
        ada,
        session: session.expect("a session").secret,
        root,
    }
}
