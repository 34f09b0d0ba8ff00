//! How fast moves are counted, made and searched. `cargo bench -p rules-svc`.

use divan::counter::ItemsCount;
use divan::{Bencher, black_box};
use farside_rules::domain::pawns::{Leaves, PawnBoard, Seat, Size, perft};
use farside_rules::domain::search::{Limits, Searcher, TableSize};

const SEARCH_NODES: u64 = 50_000;

fn main() {
    divan::main();
}

fn start(n: u8) -> PawnBoard {
    PawnBoard::two_rows(Size::new(n).unwrap_or(Size::CLASSIC))
}

fn count(bencher: Bencher<'_, '_>, n: u8, leaves: Leaves) {
    let board = start(n);
    let nodes = perft(&board, Seat::One, 5, leaves);
    bencher.counter(ItemsCount::new(nodes)).bench(|| perft(black_box(&board), Seat::One, 5, leaves));
}

#[divan::bench(args = [6, 8, 10, 12], sample_count = 20)]
fn leaves_counted(bencher: Bencher<'_, '_>, n: u8) {
    count(bencher, n, Leaves::Counted);
}

#[divan::bench(args = [6, 8, 10, 12], sample_count = 10)]
fn leaves_made(bencher: Bencher<'_, '_>, n: u8) {
    count(bencher, n, Leaves::Made);
}

#[divan::bench(args = [6, 8, 10, 12])]
fn moves_listed(bencher: Bencher<'_, '_>, n: u8) {
    let board = start(n);
    bencher.bench(|| black_box(&board).legal_moves(Seat::One));
}

#[divan::bench(args = [6, 8, 10, 12], sample_count = 10)]
fn nodes_searched(bencher: Bencher<'_, '_>, n: u8) {
    let board = start(n);
    bencher.counter(ItemsCount::new(SEARCH_NODES)).bench(|| {
        let mut searcher = Searcher::new(TableSize::from_exponent(14));
        searcher.search(black_box(&board), Seat::One, Limits::nodes(SEARCH_NODES), &|| false)
    });
}
