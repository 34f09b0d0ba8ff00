//! Behaviour of the board that holds for every size, seat and square.

use proptest::prelude::*;

use super::{BoardTextFault, DecodeFault, EndReason, PawnBoard, PawnFault, PawnMove, Seat, Size, Square};

fn any_seat() -> impl Strategy<Value = Seat> {
    prop_oneof![Just(Seat::One), Just(Seat::Two)]
}

fn any_board() -> impl Strategy<Value = PawnBoard> {
    (6u8..=12)
        .prop_flat_map(|n| {
            let cell = prop_oneof![3 => Just('.'), 1 => Just('1'), 1 => Just('2')];
            proptest::collection::vec(proptest::collection::vec(cell, usize::from(n)), usize::from(n))
        })
        .prop_map(|rows| {
            let rows: Vec<String> = rows.into_iter().map(|row| row.into_iter().collect()).collect();
            PawnBoard::from_rows(&rows).unwrap()
        })
}

fn rotated(board: PawnBoard) -> PawnBoard {
    let last = board.size().get() - 1;
    board.squares().fold(PawnBoard::empty(board.size()), |turned, square| match board.cell(square) {
        None => turned,
        Some(seat) => turned.with_pawn(opposite(square, last), seat.other()).unwrap(),
    })
}

fn opposite(square: Square, last: u8) -> Square {
    Square::new(last - square.row, last - square.col)
}

proptest! {
    #[test]
    fn listed_moves_and_accepted_moves_are_the_same(board in any_board(), seat in any_seat()) {
        let listed = board.legal_moves(seat);
        prop_assert!(listed.is_sorted());
        let accepted: Vec<PawnMove> = board
            .squares()
            .flat_map(|from| board.squares().map(move |to| PawnMove { from, to }))
            .filter(|&step| board.apply(step, seat).is_ok())
            .collect();
        prop_assert_eq!(listed, accepted);
    }

    #[test]
    fn a_step_goes_forward_and_keeps_the_count_of_its_own_pawns(board in any_board(), seat in any_seat()) {
        for step in board.legal_moves(seat) {
            let after = board.apply(step, seat).unwrap();
            let forward = i16::from(step.to.row) - i16::from(step.from.row);
            prop_assert_eq!(forward, if seat == Seat::One { 1 } else { -1 });
            prop_assert_eq!(after.count(seat), board.count(seat));
            let captured = u32::from(board.cell(step.to).is_some());
            prop_assert_eq!(after.count(seat.other()) + captured, board.count(seat.other()));
        }
    }

    #[test]
    fn the_seats_play_the_same_game_from_opposite_ends(board in any_board(), seat in any_seat()) {
        let last = board.size().get() - 1;
        let mut turned: Vec<PawnMove> = rotated(board)
            .legal_moves(seat.other())
            .into_iter()
            .map(|step| PawnMove::new(opposite(step.from, last), opposite(step.to, last)))
            .collect();
        turned.sort();
        prop_assert_eq!(board.legal_moves(seat), turned);
        let mirrored = rotated(board).finished(seat.other()).map(|(winner, reason)| (winner.other(), reason));
        prop_assert_eq!(board.finished(seat), mirrored);
    }

    #[test]
    fn bytes_and_rows_read_back_to_the_same_board(board in any_board()) {
        let bytes = board.to_bytes();
        prop_assert_eq!(bytes.len(), PawnBoard::encoded_len(board.size()));
        prop_assert_eq!(PawnBoard::from_bytes(&bytes), Ok(board));
        prop_assert_eq!(PawnBoard::from_rows(&board.to_rows()), Ok(board));
    }

    #[test]
    fn bytes_that_are_read_are_written_the_same(bytes in proptest::collection::vec(any::<u8>(), 0..60), n in 5u8..14) {
        let mut bytes = bytes;
        if let Some(first) = bytes.first_mut() {
            *first = n;
        }
        if let Ok(board) = PawnBoard::from_bytes(&bytes) {
            prop_assert_eq!(board.to_bytes(), bytes);
        }
    }

    #[test]
    fn a_game_ends_within_its_bound(n in 6u8..=12, choices in proptest::collection::vec(any::<prop::sample::Index>(), 800)) {
        let mut board = PawnBoard::two_rows(Size::new(n).unwrap());
        let mut seat = Seat::One;
        let mut plies = 0;
        while board.finished(seat).is_none() {
            let moves = board.legal_moves(seat);
            board = board.apply(*choices[plies].get(&moves), seat).unwrap();
            seat = seat.other();
            plies += 1;
        }
        prop_assert!(plies < 800);
    }
}

#[test]
fn faults_come_in_order_of_precedence() {
    let rows = ["1.....", "1.....", ".2....", "......", "......", "2....."];
    let board = PawnBoard::from_rows(&rows).unwrap();
    let fault = |from: (u8, u8), to: (u8, u8)| {
        let step = PawnMove::new(Square::new(from.0, from.1), Square::new(to.0, to.1));
        board.apply(step, Seat::One).unwrap_err()
    };
    let at = Square::new;
    assert_eq!(fault((6, 0), (0, 9)), PawnFault::OffBoard { square: at(6, 0), size: Size::MIN });
    assert_eq!(fault((3, 3), (4, 6)), PawnFault::OffBoard { square: at(4, 6), size: Size::MIN });
    assert_eq!(fault((3, 3), (0, 0)), PawnFault::NoPawn { square: at(3, 3) });
    assert_eq!(fault((2, 1), (1, 1)), PawnFault::NotYourPawn { square: at(2, 1), owner: Seat::Two });
    assert_eq!(fault((1, 0), (0, 0)), PawnFault::NotOneStepForward { from: at(1, 0), to: at(0, 0) });
    assert_eq!(fault((0, 0), (1, 0)), PawnFault::Blocked { square: at(1, 0) });
    let own = board.with_pawn(at(1, 1), Seat::One).unwrap();
    let step = PawnMove::new(at(0, 0), at(1, 1));
    assert_eq!(own.apply(step, Seat::One), Err(PawnFault::OwnPawn { square: at(1, 1) }));
}

#[test]
fn a_fault_reads_as_a_sentence() {
    let fault = PawnFault::OffBoard { square: Square::new(8, 0), size: Size::CLASSIC };
    assert_eq!(fault.to_string(), "square [8, 0] is off the board, which has rows and columns 0 to 7");
}

#[test]
fn each_way_to_win_is_told_apart() {
    let ended = |rows: [&str; 6], next| PawnBoard::from_rows(&rows).unwrap().finished(next);
    let far = ["......", "......", "......", "2.....", "......", "...1.."];
    assert_eq!(ended(far, Seat::Two), Some((Seat::One, EndReason::FarRow)));
    let bare = ["......", "......", "......", "......", "2.....", "......"];
    assert_eq!(ended(bare, Seat::One), Some((Seat::Two, EndReason::NoPawns)));
    let open = ["1.....", "......", "......", "......", "2.....", "......"];
    assert_eq!(ended(open, Seat::One), None);
}

#[test]
fn bytes_that_are_no_board_say_why() {
    let good = PawnBoard::two_rows(Size::MIN).to_bytes();
    let with = |at: usize, value: u8| {
        let mut bytes = good.clone();
        bytes[at] = value;
        PawnBoard::from_bytes(&bytes)
    };
    assert_eq!(PawnBoard::from_bytes(&[]), Err(DecodeFault::Empty));
    assert!(matches!(with(0, 13), Err(DecodeFault::Size(_))));
    assert!(matches!(with(0, 7), Err(DecodeFault::Length { expected: 15, found: 11, .. })));
    assert_eq!(with(5, 0xf0), Err(DecodeFault::PastTheEnd));
    assert_eq!(with(6, 1), Err(DecodeFault::Twice(Square::new(0, 0))));
}

#[test]
fn text_that_is_no_board_says_where() {
    let fault = |rows: &[&str]| PawnBoard::from_rows(rows).unwrap_err();
    assert!(matches!(fault(&["......"; 5]), BoardTextFault::Size(_)));
    let rows = ["......", "......", ".....", "......", "......", "......"];
    assert!(matches!(fault(&rows), BoardTextFault::RowLength { row: 2, found: 5, .. }));
    let rows = ["......", "......", "..x...", "......", "......", "......"];
    assert_eq!(fault(&rows), BoardTextFault::Character { square: Square::new(2, 2), found: 'x' });
}
