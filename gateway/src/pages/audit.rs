//! The audit of the ledger for people: whether every point adds up, with the figures and when that was last looked at.
//!
//! Not here: the audit itself, and what is done when it finds something.

use askama::Template;
use axum::extract::State;
use axum::response::Response;

use super::frame::{Frame, show};
use super::words;
use crate::api::json::ledger::{AuditJson, TotalsJson};
use crate::app::SharedApp;
use crate::problem::Problem;

#[derive(Template)]
#[template(path = "audit.html")]
struct AuditPage {
    frame: Frame,
    audit: AuditJson,
    checked: String,
    currencies: Vec<CurrencyRow>,
}

/// The figures of one currency.
struct CurrencyRow {
    currency: String,
    totals: TotalsJson,
    /// What players have and what was taken as fees: it has to be what was issued.
    accounted: i64,
}

/// What the audit found last.
pub(super) async fn audit(State(app): State<SharedApp>, frame: Frame) -> Result<Response, Problem> {
    let audit = app.audit().await?;
    let ago = words::ago(app.now_ms() - audit.checked_at.0);
    let checked = format!("{}, {ago}", words::moment(audit.checked_at));
    let currencies = audit.totals.iter().map(|(currency, totals)| CurrencyRow::new(currency, *totals)).collect();
    Ok(show(&AuditPage { frame, audit, checked, currencies }))
}

impl CurrencyRow {
    fn new(currency: &str, totals: TotalsJson) -> Self {
        let accounted = totals.players_posted.saturating_add(totals.fees);
        Self { currency: currency.to_owned(), totals, accounted }
    }

    fn is_balanced(&self) -> bool {
        self.accounted == self.totals.issued
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::json::scalar::Timestamp;

    fn page(posted: i64, violations: &[&str]) -> String {
        let totals =
            TotalsJson { players_posted: posted, players_held: 20, issued: 2_000, fees: 5, open_holds: 2, accounts: 2 };
        let audit = AuditJson {
            ok: violations.is_empty(),
            checked_at: Timestamp(0),
            violations: violations.iter().map(|text| (*text).to_owned()).collect(),
            totals: [("PTS".to_owned(), totals)].into(),
        };
        let currencies = vec![CurrencyRow::new("PTS", totals)];
        AuditPage { frame: Frame::default(), audit, checked: "now".to_owned(), currencies }.render().unwrap()
    }

    #[test]
    fn it_says_in_words_whether_every_point_adds_up() {
        let sound = page(1_995, &[]);
        assert!(sound.contains("Every point adds up.") && sound.contains("1,995 + 5 = 2,000"), "{sound}");
        let broken = page(1_990, &["the sum over all accounts in PTS is -5 points, not zero"]);
        assert!(broken.contains("Something does not add up.") && broken.contains("1,990 + 5 = 1,995"), "{broken}");
        assert!(broken.contains("The sum over all accounts in PTS is -5 points, not zero."), "{broken}");
        assert!(broken.contains("not the 2,000 that were given out"), "{broken}");
    }
}
