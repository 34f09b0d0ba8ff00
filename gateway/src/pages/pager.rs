//! Links from page to page of a list, by the cursors that the API gives out.
//!
//! Cursors go forward only, so the way back is to the first page.

use crate::api::json::list::Page;

use super::form::Fields;

/// Links below a list.
#[derive(Clone, Debug, Default)]
pub(crate) struct Pager {
    /// The first page, when this is another.
    pub first: Option<String>,
    /// The next page, where there is one.
    pub next: Option<String>,
}

impl Pager {
    /// Links for the list at `address`, which may have a query already.
    pub(crate) fn new(address: &str, page: &Page, next_cursor: Option<&str>) -> Self {
        let joint = if address.contains('?') { '&' } else { '?' };
        let next = next_cursor.map(|cursor| {
            let cursor: String = form_urlencoded::byte_serialize(cursor.as_bytes()).collect();
            format!("{address}{joint}cursor={cursor}")
        });
        Self { first: page.cursor.is_some().then(|| address.to_owned()), next }
    }

    /// Whether there is nowhere to go.
    pub(crate) fn is_single(&self) -> bool {
        self.first.is_none() && self.next.is_none()
    }
}

/// The page that a query asks for.
pub(crate) fn page(query: &Fields, limit: u32) -> Page {
    Page { limit: Some(limit), cursor: query.given("cursor").map(str::to_owned) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pager_leads_on_and_back_and_keeps_the_query() {
        let first = Pager::new("/bots?find=x", &Page::default(), Some("a b&c"));
        assert_eq!((first.first, first.next.as_deref()), (None, Some("/bots?find=x&cursor=a+b%26c")));
        let last = Pager::new("/bots", &Page { limit: None, cursor: Some("c".to_owned()) }, None);
        assert_eq!((last.first.as_deref(), last.next), (Some("/bots"), None));
        assert!(Pager::new("/bots", &Page::default(), None).is_single());
    }
}
