//! The currency table: which points there are, what may be staked and what a win costs.
//!
//! Not here: where the table comes from; the configuration hands in its text.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::points::Points;

/// The whole, in basis points.
const WHOLE_BASIS_POINTS: u32 = 10_000;

/// The code of a currency, for example `PTS`: 1 to 8 upper-case letters or digits, a letter first.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Currency(String);

impl Currency {
    /// The code, if `text` is one.
    #[must_use]
    pub fn new(text: impl Into<String>) -> Option<Self> {
        let text = text.into();
        let fits = text.len() <= 8
            && text.starts_with(|first: char| first.is_ascii_uppercase())
            && text.bytes().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit());
        fits.then_some(Self(text))
    }

    /// The code.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Currency {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// What holds for one currency.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Terms {
    /// Its code.
    pub currency: Currency,
    /// Smallest stake.
    pub stake_min: Points,
    /// Largest stake.
    pub stake_max: Points,
    /// Fee on a winner's winnings.
    pub fee: FeeRate,
}

/// A part of the winnings, in basis points of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FeeRate(u32);

impl FeeRate {
    /// That many basis points, at most the whole.
    #[must_use]
    pub const fn new(basis_points: u32) -> Option<Self> {
        if basis_points > WHOLE_BASIS_POINTS { None } else { Some(Self(basis_points)) }
    }

    /// In basis points.
    #[must_use]
    pub const fn basis_points(self) -> u32 {
        self.0
    }

    /// The fee on these winnings, rounded down: the odd point stays with the winner.
    #[must_use]
    pub fn on(self, winnings: Points) -> Points {
        let fee = i128::from(winnings.get()) * i128::from(self.0) / i128::from(WHOLE_BASIS_POINTS);
        i64::try_from(fee).ok().and_then(Points::new).unwrap_or(winnings)
    }
}

/// All currencies of the platform, in the order of the configuration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CurrencyTable(Vec<Terms>);

impl CurrencyTable {
    /// The terms of the currency with this code.
    #[must_use]
    pub fn find(&self, code: &str) -> Option<&Terms> {
        self.0.iter().find(|terms| terms.currency.as_str() == code)
    }

    /// All of them.
    #[must_use]
    pub fn all(&self) -> &[Terms] {
        &self.0
    }
}

/// Why a text is no currency table.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TableFault {
    /// There is no entry.
    #[error("names no currency")]
    Empty,
    /// An entry does not have the form.
    #[error("{0:?} does not have the form CODE:MIN-MAX:FEE_BASIS_POINTS, for example PTS:10-1000:0")]
    Form(String),
    /// An entry's numbers cannot be right.
    #[error("{0:?} must have 1 ≤ MIN ≤ MAX and a fee of at most 10000 basis points")]
    Range(String),
    /// One code twice.
    #[error("names {0} twice")]
    Twice(Currency),
}

impl FromStr for CurrencyTable {
    type Err = TableFault;

    /// Reads `CODE:MIN-MAX:FEE_BASIS_POINTS`, entries separated by commas.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let mut table = Vec::<Terms>::new();
        for entry in text.split(',').map(str::trim).filter(|entry| !entry.is_empty()) {
            let terms = terms(entry)?;
            if table.iter().any(|known| known.currency == terms.currency) {
                return Err(TableFault::Twice(terms.currency));
            }
            table.push(terms);
        }
        if table.is_empty() { Err(TableFault::Empty) } else { Ok(Self(table)) }
    }
}

fn terms(entry: &str) -> Result<Terms, TableFault> {
    let form = || TableFault::Form(entry.to_owned());
    let range = || TableFault::Range(entry.to_owned());
    let mut parts = entry.split(':');
    let (Some(code), Some(limits), Some(fee), None) = (parts.next(), parts.next(), parts.next(), parts.next()) else {
        return Err(form());
    };
    let currency = Currency::new(code).ok_or_else(form)?;
    let (min, max) = limits.split_once('-').ok_or_else(form)?;
    let points = |text: &str| text.parse().ok().map(Points::new).ok_or_else(form)?.ok_or_else(range);
    let (stake_min, stake_max) = (points(min)?, points(max)?);
    let fee = fee.parse().map_err(|_| form())?;
    let fee = FeeRate::new(fee).ok_or_else(range)?;
    if stake_min == Points::ZERO || stake_min > stake_max {
        return Err(range());
    }
    Ok(Terms { currency, stake_min, stake_max, fee })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_is_read_in_its_order() {
        let table: CurrencyTable = "PTS:10-1000:0, EUR:1-5000:250".parse().unwrap();
        let codes: Vec<_> = table.all().iter().map(|terms| terms.currency.as_str()).collect();
        assert_eq!(codes, ["PTS", "EUR"]);
        assert_eq!(table.find("EUR").unwrap().fee.basis_points(), 250);
        assert_eq!(table.find("pts"), None);
    }

    #[test]
    fn a_bad_table_says_which_entry_is_wrong() {
        for (text, said) in [
            ("", "no currency"),
            ("PTS", "\"PTS\" does not have the form"),
            ("pts:10-1000:0", "does not have the form"),
            ("PTS:10:0", "does not have the form"),
            ("PTS:10-1000:0:0", "does not have the form"),
            ("PTS:0-1000:0", "must have 1"),
            ("PTS:11-10:0", "must have 1"),
            ("PTS:10-1000:10001", "must have 1"),
            ("PTS:10-1000:0,PTS:1-2:0", "PTS twice"),
        ] {
            let fault = text.parse::<CurrencyTable>().unwrap_err().to_string();
            assert!(fault.contains(said), "{text}: {fault}");
        }
    }

    #[test]
    fn a_fee_is_rounded_down() {
        let rate = FeeRate::new(250).unwrap();
        for (winnings, fee) in
            [(0, 0), (10, 0), (39, 0), (40, 1), (100, 2), (1_000, 25), (Points::MAX.get(), 25_000_000_000_000)]
        {
            assert_eq!(rate.on(Points::new(winnings).unwrap()).get(), fee, "{winnings}");
        }
        assert_eq!(FeeRate::new(10_000).unwrap().on(Points::MAX), Points::MAX);
    }
}
