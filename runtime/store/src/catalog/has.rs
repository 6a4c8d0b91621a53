//! What nouns have in common, as words that `snapshot.rs` declares them with. It knows no noun.

/// What a noun has: each word stands for a field, and for what `Row` tells of it.
macro_rules! has {
    (tenant) => {
        fn tenant(&self) -> &str {
            &self.tenant
        }
    };
    (name) => {
        fn name(&self) -> &str {
            &self.name
        }
    };
    (username) => {
        fn name(&self) -> &str {
            &self.username
        }
    };
    (stamp) => {
        fn stamp_mut(&mut self) -> Option<&mut Stamp> {
            Some(&mut self.stamp)
        }

        fn made(&self) -> Option<Timestamp> {
            Some(self.stamp.created_at)
        }
    };
    (version) => {
        fn version(&self) -> Option<i64> {
            Some(self.version)
        }

        fn version_mut(&mut self) -> Option<&mut i64> {
            Some(&mut self.version)
        }

        fn is_same(&self, other: &Self) -> bool {
            self == other
        }
    };
    (versions) => {
        fn name(&self) -> &str {
            &self.current().schema.name
        }

        fn version(&self) -> Option<i64> {
            Some(self.current().number)
        }
    };
    (deleted) => {
        fn is_deleted(&self) -> bool {
            self.deleted
        }

        fn deleted_mut(&mut self) -> Option<&mut bool> {
            Some(&mut self.deleted)
        }
    };
    (switch) => {
        fn is_active(&self) -> Option<bool> {
            Some(self.active)
        }

        fn active_mut(&mut self) -> Option<&mut bool> {
            Some(&mut self.active)
        }
    };
    (access) => {
        fn is_active(&self) -> Option<bool> {
            Some(self.active)
        }

        fn active_mut(&mut self) -> Option<&mut bool> {
            Some(&mut self.active)
        }

        fn access(&self) -> Option<(&[String], &[Grant])> {
            Some((&self.roles, &self.grants))
        }

        fn last_used(&self) -> Option<Timestamp> {
            self.last_used_at.get()
        }

        fn grants_mut(&mut self) -> Option<&mut Vec<Grant>> {
            Some(&mut self.grants)
        }
    };
}
pub(super) use has;
