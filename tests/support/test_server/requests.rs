//! Short ways to ask a server: with the key that may do everything, about the first dataset.

use super::{Names, TestServer};
use crate::raw::{Answer, Request};
use serde_json::Value;

impl TestServer {
    /// A fresh access token of the application client.
    pub(crate) fn token(&self) -> String {
        let body = serde_json::json!({"client_id": self.names.app, "client_secret": self.names.app_secret});
        let answer = self
            .anonymous("POST", "/oauth2/token")
            .json(body.to_string())
            .send();
        let token = answer.is(200).json()["access_token"]
            .as_str()
            .map(str::to_owned);
        token.expect("a token")
    }

    /// A request without a credential.
    pub(crate) fn anonymous(&self, method: &str, target: &str) -> Request {
        Request::new(self.address, method, target)
    }

    /// A request with the key that may do everything.
    pub(crate) fn request(&self, method: &str, target: &str) -> Request {
        self.anonymous(method, target).credential(&self.names.key)
    }

    pub(crate) fn get(&self, target: &str) -> Answer {
        self.request("GET", target).send()
    }

    /// Where the records of the first dataset are.
    pub(crate) fn records(&self) -> String {
        let Names {
            area,
            schema,
            dataset,
            ..
        } = &self.names;
        records_of(area, schema, dataset)
    }

    /// How many records the first page of the first dataset has.
    #[track_caller]
    pub(crate) fn record_count(&self) -> usize {
        let page = self.get(&self.records()).json();
        page["items"].as_array().expect("a page").len()
    }

    /// Creates a record in the first dataset.
    pub(crate) fn create(&self, body: &str) -> Answer {
        self.request("POST", &self.records()).json(body).send()
    }

    /// Creates a record that must be accepted, and gives what it is now.
    #[track_caller]
    pub(crate) fn created(&self, body: &str) -> Value {
        self.create(body).is(201).json()
    }

    /// Changes a record of the first dataset.
    pub(crate) fn update(&self, record: &Value, body: &str) -> Answer {
        self.request("PUT", &self.record(record)).json(body).send()
    }

    pub(crate) fn delete(&self, record: &Value) -> Answer {
        self.request("DELETE", &self.record(record)).send()
    }

    /// The address of a record of the first dataset.
    pub(crate) fn record(&self, record: &Value) -> String {
        let id = record["_dataObjectId"].as_str().expect("an id");
        format!("{}/{id}", self.records())
    }

    /// What is found under a primary key of the first dataset; the key is put into the path as it is.
    pub(crate) fn by_key(&self, key: &str) -> Answer {
        self.get(&format!("{}/by-pk/{key}", self.records()))
    }
}

pub(crate) fn records_of(area: &str, schema: &str, dataset: &str) -> String {
    format!("/v1/businessareas/{area}/schemas/{schema}/datasets/{dataset}/dataobjects")
}
