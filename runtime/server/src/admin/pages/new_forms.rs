//! Where the form of a new area, schema or dataset stands: the one writer of these addresses. An address says in `next` where one
//! goes on behind what the form makes, and `{}` stands there for its id (`access/areas.rs` leads on).

use super::visit::Page;
use url::form_urlencoded::byte_serialize;

/// The page with the form of a new area.
pub(super) const AREA: &str = "/areas#new";

/// The same, from which one goes on to another address of the site.
pub(super) fn area(next: &str) -> String {
    format!("/areas?{}#new", going_on(next))
}

/// The page on which a schema of an area is begun.
pub(super) fn schema(area: &str) -> String {
    format!("/areas/{area}/schemas/new")
}

/// The page of an area with the form of a new dataset of one of its schemas; from there one goes on to another address of the site,
/// or stays.
pub(super) fn dataset((area, schema): (&str, &str), next: Option<&str>) -> String {
    let next = next.map_or_else(String::new, |next| format!("&{}", going_on(next)));
    format!("/areas/{area}?of={schema}{next}#new-{schema}")
}

fn going_on(next: &str) -> String {
    let next: String = byte_serialize(next.as_bytes()).collect();
    format!("next={next}")
}

impl Page {
    /// The whole address of the form of a new area, from which one goes on to another page.
    pub(super) fn new_area(&self, next: &str) -> String {
        self.at(&area(&self.at(next)))
    }

    /// The same, from which one goes on to a schema in it.
    pub(super) fn new_area_for_schema(&self) -> String {
        self.new_area(&schema("{}"))
    }

    /// The whole address under which a schema of an area is begun.
    pub(super) fn new_schema(&self, area: &str) -> String {
        self.at(&schema(area))
    }

    /// The whole address of the form of a new dataset.
    pub(super) fn new_dataset(&self, area: &str, schema: &str) -> String {
        self.at(&dataset((area, schema), None))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_leads_to_the_form_and_says_in_one_parameter_where_one_goes_on() {
        assert_eq!(area("/app/keys#new"), "/areas?next=%2Fapp%2Fkeys%23new#new");
        assert_eq!(
            area(&schema("{}")),
            "/areas?next=%2Fareas%2F%7B%7D%2Fschemas%2Fnew#new"
        );
        assert_eq!(dataset(("a", "s"), None), "/areas/a?of=s#new-s");
        assert_eq!(
            dataset(("a", "s"), Some("/app/?q=a&b")),
            "/areas/a?of=s&next=%2Fapp%2F%3Fq%3Da%26b#new-s"
        );
    }
}
