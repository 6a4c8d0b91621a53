//! The steward, who asks for pages: signed in, one after another on one connection.

use super::kind::{DELETED, Kind, Known, rows};
use super::store::{PASSWORD, USERNAME};
use crate::client::Connection;
use crate::records::{code, spread};
use anyhow::{Context as _, ensure};
use std::net::SocketAddr;
use std::time::{Duration, Instant};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

/// How long the search index may take to have everything.
const INDEX_MAX: Duration = Duration::from_secs(3600);
/// The things whose pages are asked for: the list that each is in, which is the word before its id too, and its name.
const THINGS: [(&str, &str); 8] = [
    ("areas", "Load"),
    ("schemas", "Product"),
    ("users", "Guest 99"),
    ("roles", "Role 01"),
    ("keys", "Key 99"),
    ("clients", "Client 99"),
    ("webhooks", "Hook 99"),
    ("domains", "Domain 00"),
];

/// Who is signed in, on one connection.
pub(super) struct Steward {
    connection: Connection,
    host: String,
    cookies: String,
    /// The address of the dataset's page.
    dataset: String,
    known: Known,
}

impl Steward {
    pub(super) async fn sign_in(address: SocketAddr, records: u64) -> anyhow::Result<Self> {
        let mut steward = Steward {
            connection: Connection::open(address).await?,
            host: address.to_string(),
            cookies: cookies(address).await?,
            dataset: String::new(),
            known: Known {
                records,
                ..Known::default()
            },
        };
        let id = steward.id_of("/app/", "datasets", "Products").await?;
        steward.dataset = format!("/app/datasets/{id}");
        steward.known.behind.insert("datasets", id);
        Ok(steward)
    }

    /// The id of what a page leads to by this name.
    pub(super) async fn id_of(
        &mut self,
        page: &str,
        noun: &str,
        name: &str,
    ) -> anyhow::Result<String> {
        let (text, _) = self.get(page).await?;
        let end = format!(">{name}</a>");
        let own = links(&text, noun).find(|(_, behind)| behind.starts_with(&end));
        let (id, _) = own.with_context(|| format!("{page} has no link to {name}"))?;
        Ok(id.to_owned())
    }

    /// Notes what stands in the addresses of pages.
    pub(super) async fn learn(&mut self) -> anyhow::Result<()> {
        for (noun, name) in THINGS {
            let id = self.id_of(&format!("/app/{noun}"), noun, name).await?;
            self.known.behind.insert(noun, id);
        }
        for (page, noun, beginning) in [("/app/jobs", "jobs", ""), ("/app/", "assets", "app-")] {
            let (text, _) = self.get(page).await?;
            let own = links(&text, noun).find(|(value, _)| value.starts_with(beginning));
            let (value, _) = own.with_context(|| format!("{page} leads to no {noun}"))?;
            self.known.behind.insert(noun, value.to_owned());
        }
        Ok(())
    }

    async fn get(&mut self, path: &str) -> anyhow::Result<(String, Duration)> {
        self.get_with(path, "").await
    }

    /// The same of a part of a page, as its script asks for it.
    async fn get_part(&mut self, path: &str) -> anyhow::Result<(String, Duration)> {
        self.get_with(path, "hx-request: true\r\n").await
    }

    async fn get_with(&mut self, path: &str, part: &str) -> anyhow::Result<(String, Duration)> {
        let (host, cookies) = (&self.host, &self.cookies);
        let request =
            format!("GET {path} HTTP/1.1\r\nhost: {host}\r\n{part}cookie: {cookies}\r\n\r\n");
        let began = Instant::now();
        let (status, body) = self.connection.ask(request.as_bytes()).await?;
        let took = began.elapsed();
        ensure!(status == 200, "{path} is answered with {status}");
        Ok((String::from_utf8_lossy(body).into_owned(), took))
    }

    /// Sends a form, which leads to a page.
    async fn post(&mut self, path: &str, body: &str) -> anyhow::Result<()> {
        let (host, cookies, length) = (&self.host, &self.cookies, body.len());
        let request = format!(
            "POST {path} HTTP/1.1\r\nhost: {host}\r\ncookie: {cookies}\r\ncontent-type: application/x-www-form-urlencoded\r\ncontent-length: {length}\r\n\r\n{body}"
        );
        let (status, _) = self.connection.ask(request.as_bytes()).await?;
        ensure!(status == 303, "{path} is answered with {status}");
        Ok(())
    }

    pub(super) async fn ask(&mut self, kind: &Kind, turn: u64) -> anyhow::Result<Duration> {
        let path = kind.path(&self.known, spread(turn ^ 0x0057_e4a2))?;
        let (page, took) = if kind.is_part {
            self.get_part(&path).await?
        } else {
            self.get(&path).await?
        };
        let is_right = kind.must.holds(&page);
        ensure!(is_right, "{path} has not what it must: {}", kind.what);
        if kind.is_walk {
            self.walk_on(&page);
        }
        Ok(took)
    }

    /// Notes the records of a page of the grid, and which page comes next; behind the last one, the first.
    fn walk_on(&mut self, page: &str) {
        let ids = page.split("<tr data-record=\"").skip(1);
        self.known.seen = { ids.filter_map(|rest| rest.split_once('"')) }
            .map(|(id, _)| id.to_owned())
            .collect();
        let next = page.split_once("\" rel=\"next\"").and_then(|(before, _)| {
            let (_, address) = before.rsplit_once("href=\"")?;
            let query = &address[address.find('?')?..];
            Some(query.replace("&#38;", "&").replace("&amp;", "&"))
        });
        self.known.next = next.unwrap_or_default();
    }

    /// Deletes the records with the lowest numbers, as one does on a record's page.
    pub(super) async fn delete_some(&mut self) -> anyhow::Result<()> {
        for number in 1..=DELETED {
            let path = format!("{}?q=Code:{}", self.dataset, code(number));
            let (page, _) = self.get(&path).await?;
            let of = |beginning: &str| {
                let (_, rest) = page.split_once(beginning)?;
                rest.split('"').next()
            };
            let record = of("<tr data-record=\"").context("a record that is not there")?;
            let token = of("name=\"token\" value=\"").context("a page without a form")?;
            let path = format!("{}/records/{record}/delete", self.dataset);
            self.post(&path, &format!("token={token}")).await?;
        }
        Ok(())
    }

    pub(super) async fn wait_for_index(&mut self) -> anyhow::Result<()> {
        let path = format!("{}?q=Code:{}", self.dataset, code(self.known.records));
        let began = Instant::now();
        while began.elapsed() < INDEX_MAX {
            if rows(&self.get(&path).await?.0) == 1 {
                return Ok(());
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        anyhow::bail!("the search index did not catch up")
    }
}

/// What a page leads to of a noun: what stands in each address behind the noun, and what follows the address.
fn links<'p>(page: &'p str, noun: &str) -> impl Iterator<Item = (&'p str, &'p str)> {
    let beginning = format!("href=\"/app/{noun}/");
    let links: Vec<_> = page.split(&beginning).skip(1).collect();
    links.into_iter().filter_map(|link| link.split_once('"'))
}

/// Signs in, and gives the cookies that came of it.
async fn cookies(address: SocketAddr) -> anyhow::Result<String> {
    // what proves that a page of ours has the form, behind a mask that changes nothing
    let secret = "0".repeat(32);
    let token = "00".repeat(32) + &"30".repeat(32);
    let password = PASSWORD.replace(' ', "+");
    let body = format!("username={USERNAME}&password={password}&token={token}");
    let request = format!(
        "POST /app/sign-in HTTP/1.1\r\nhost: {address}\r\ncookie: fieldstone_form={secret}\r\ncontent-type: application/x-www-form-urlencoded\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{body}",
        body.len()
    );
    let mut stream = TcpStream::connect(address).await?;
    stream.write_all(request.as_bytes()).await?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await?;
    let lines = answer.lines().take_while(|line| !line.is_empty());
    let set = lines.filter_map(|line| line.split_once(": "));
    let set = set.filter(|(name, _)| name.eq_ignore_ascii_case("set-cookie"));
    let pairs: Vec<_> = set
        .filter_map(|(_, value)| value.split(';').next())
        .collect();
    ensure!(!pairs.is_empty(), "nobody could sign in: {answer:.300}");
    Ok(pairs.join("; "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_are_those_of_their_noun() {
        let page = "<a href=\"/app/areas/a\">One</a><a href=\"/app/areas\">All</a>\
            <a href=\"/app/areas/b\">Two</a><a href=\"/app/keys/c\">Two</a>";
        let found: Vec<_> = links(page, "areas").collect();
        let ids: Vec<_> = found.iter().map(|(id, _)| *id).collect();
        assert_eq!(ids, ["a", "b"]);
        assert!(found[1].1.starts_with(">Two</a>"));
    }
}
