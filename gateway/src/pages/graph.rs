//! The graph of a rating over its sets, as SVG with its meaning in words.
//!
//! Not here: how ratings come about.

use std::fmt::Write;

use crate::api::json::table::HistoryJson;

const WIDTH: f64 = 640.0;
const HEIGHT: f64 = 220.0;
/// Room for the labels on the left, and around the rest.
const LEFT: f64 = 48.0;
const EDGE: f64 = 16.0;
/// Fewest points of rating that the height stands for, so that small changes look small.
const SPAN_MIN: f64 = 100.0;

/// The graph of ratings, newest first as the API lists them; empty for fewer than two.
pub(super) fn draw(points: &[HistoryJson]) -> String {
    if points.len() < 2 {
        return String::new();
    }
    let points: Vec<&HistoryJson> = points.iter().rev().collect();
    let scale = Scale::of(&points);
    let (upper, lower): (Vec<_>, Vec<_>) = (band(&points, &scale, 1), band(&points, &scale, -1));
    let band: Vec<String> = upper.into_iter().chain(lower.into_iter().rev()).collect();
    let line: Vec<String> = points.iter().enumerate().map(|(at, point)| scale.place(at, point.rating)).collect();
    format!(
        "<svg class=\"graph\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\" aria-label=\"{}\">{}\
         <polygon class=\"band\" points=\"{}\"/><polyline class=\"line\" points=\"{}\"/>{}</svg>",
        described(&points),
        axes(&scale),
        band.join(" "),
        line.join(" "),
        last(&points, &scale),
    )
}

/// Where sets and ratings are on the graph.
struct Scale {
    low: f64,
    high: f64,
    steps: f64,
}

impl Scale {
    fn of(points: &[&HistoryJson]) -> Self {
        let edges = points.iter().flat_map(|point| [point.rating - point.deviation, point.rating + point.deviation]);
        let (low, high) = edges.fold((i64::MAX, i64::MIN), |(low, high), edge| (low.min(edge), high.max(edge)));
        let (low, high) = (whole(low), whole(high));
        let missing = (SPAN_MIN - (high - low)).max(0.0) / 2.0;
        Self { low: low - missing, high: high + missing, steps: whole(points.len() as i64 - 1) }
    }

    fn y(&self, rating: f64) -> f64 {
        let share = (rating - self.low) / (self.high - self.low);
        EDGE + (1.0 - share) * (HEIGHT - 2.0 * EDGE)
    }

    fn place(&self, at: usize, rating: i64) -> String {
        let share = whole(at as i64) / self.steps;
        format!("{:.1},{:.1}", LEFT + share * (WIDTH - LEFT - EDGE), self.y(whole(rating)))
    }
}

/// Ratings and counts are small numbers, which a float holds exactly.
#[expect(clippy::cast_precision_loss, reason = "numbers of a few digits")]
fn whole(number: i64) -> f64 {
    number as f64
}

fn band(points: &[&HistoryJson], scale: &Scale, sign: i64) -> Vec<String> {
    let edge = |(at, point): (usize, &&HistoryJson)| scale.place(at, point.rating + sign * point.deviation);
    points.iter().enumerate().map(edge).collect()
}

fn axes(scale: &Scale) -> String {
    let mut text = String::new();
    for share in [0.1, 0.5, 0.9] {
        let rating = (scale.low + share * (scale.high - scale.low)).round();
        let y = scale.y(rating);
        let _ = write!(
            text,
            "<line class=\"axis\" x1=\"{LEFT}\" x2=\"{WIDTH}\" y1=\"{y:.1}\" y2=\"{y:.1}\"/>\
             <text class=\"label\" x=\"6\" y=\"{:.1}\">{rating}</text>",
            y + 4.0
        );
    }
    text
}

fn last(points: &[&HistoryJson], scale: &Scale) -> String {
    let Some(point) = points.last() else { return String::new() };
    let place = scale.place(points.len() - 1, point.rating);
    let (x, y) = place.split_once(',').unwrap_or(("0", "0"));
    format!("<circle class=\"last\" cx=\"{x}\" cy=\"{y}\" r=\"4.5\"/>")
}

fn described(points: &[&HistoryJson]) -> String {
    let ratings = || points.iter().map(|point| point.rating);
    let (first, now) = (ratings().next().unwrap_or(0), ratings().next_back().unwrap_or(0));
    let (low, high) = (ratings().min().unwrap_or(0), ratings().max().unwrap_or(0));
    format!("Rating over the last {} sets: from {first} to {now}, at lowest {low}, at highest {high}.", points.len())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::json::scalar::Timestamp;

    fn point(rating: i64) -> HistoryJson {
        HistoryJson { set_id: "set_1".to_owned(), rating, deviation: 50, at: Timestamp(0) }
    }

    #[test]
    fn the_graph_stays_within_its_frame_and_says_what_it_shows() {
        let drawn = draw(&[point(1_250), point(1_180), point(1_200)]);
        assert!(drawn.contains("from 1200 to 1250, at lowest 1180, at highest 1250"), "{drawn}");
        let places = drawn.split("points=\"").skip(1).flat_map(|rest| rest.split('"').next().unwrap().split(' '));
        for place in places {
            let (x, y) = place.split_once(',').unwrap();
            assert!((0.0..=WIDTH).contains(&x.parse().unwrap()) && (0.0..=HEIGHT).contains(&y.parse().unwrap()));
        }
        assert_eq!(draw(&[point(1_200)]), "");
    }
}
