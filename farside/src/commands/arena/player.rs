//! Engines behind one interface: our levels, UCI programs, and programs that answer one JSON line per position.

use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::Duration;

use anyhow::{Context as _, Result, bail};
use farside_kit::time::Stopwatch;
use farside_rules::domain::engines::pawns::{Level, choose};
use farside_rules::domain::pawns::{PawnBoard, PawnMove, Seat, Square};
use farside_rules::domain::search::{Limits, Searcher, TableSize};
use farside_rules::domain::seed::{Purpose, SEED_BYTES, SetSeed};
use serde::{Deserialize, Serialize};

/// What outside engines get for a move when nothing is said.
const DEFAULT_LIMIT: Duration = Duration::from_millis(100);

/// What is kept back of a move's time so that it is not exceeded.
const RESERVE: Duration = Duration::from_millis(1);

/// Someone who moves pawns.
pub(super) trait Player {
    /// Told before each game, with a number that differs from pair to pair.
    fn new_game(&mut self, number: u64) -> Result<()>;

    /// The step to make on a board on which the game goes on.
    fn choose(&mut self, board: &PawnBoard, seat: Seat) -> Result<PawnMove>;
}

/// The player that a name on the command line stands for.
pub(super) fn by_name(name: &str, limit: Option<Duration>, uci_options: &[(&str, &str)]) -> Result<Box<dyn Player>> {
    match name.split_once(':') {
        Some(("uci", command)) => Ok(Box::new(Uci::start(command, limit.unwrap_or(DEFAULT_LIMIT), uci_options)?)),
        Some(("jsonl", command)) => Ok(Box::new(Jsonl::start(command, limit.unwrap_or(DEFAULT_LIMIT))?)),
        _ => match (name.parse()?, limit) {
            (Level::Crazy, Some(limit)) => Ok(Box::new(Timed::new(limit))),
            (level, _) => Ok(Box::new(House { level, seed: SetSeed([0; SEED_BYTES]), ply: 0 })),
        },
    }
}

/// A house bot, as on the platform.
struct House {
    level: Level,
    seed: SetSeed,
    ply: u16,
}

impl Player for House {
    fn new_game(&mut self, number: u64) -> Result<()> {
        let mut seed = [0; SEED_BYTES];
        seed[..8].copy_from_slice(&number.to_le_bytes());
        (self.seed, self.ply) = (SetSeed(seed), 0);
        Ok(())
    }

    fn choose(&mut self, board: &PawnBoard, seat: Seat) -> Result<PawnMove> {
        let mut stream = self.seed.stream(Purpose::HouseChoice { game_number: seat.number(), ply: self.ply });
        self.ply += 1;
        choose(self.level, &mut stream, board, seat, &|| false).context("the game is over")
    }
}

/// `crazy` with a bound in time instead of nodes, remembering what it searched earlier in the game.
struct Timed {
    searcher: Searcher,
    limit: Duration,
}

impl Timed {
    fn new(limit: Duration) -> Self {
        Self { searcher: Searcher::new(TableSize::from_exponent(21)), limit }
    }
}

impl Player for Timed {
    fn new_game(&mut self, _: u64) -> Result<()> {
        *self = Self::new(self.limit);
        Ok(())
    }

    fn choose(&mut self, board: &PawnBoard, seat: Seat) -> Result<PawnMove> {
        let (watch, limit) = (Stopwatch::start(), self.limit.saturating_sub(RESERVE));
        let report = self.searcher.search(board, seat, Limits::NONE, &|| watch.elapsed() >= limit);
        Ok(report.context("the game is over")?.best)
    }
}

/// A program that reads and writes lines, ended when dropped.
struct Program {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Program {
    fn start(command: &str) -> Result<Self> {
        let mut words = command.split_whitespace();
        let name = words.next().context("the command is empty")?;
        let mut child = Command::new(name)
            .args(words)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .with_context(|| format!("cannot start `{command}`"))?;
        let input = child.stdin.take().context("no standard input")?;
        let output = BufReader::new(child.stdout.take().context("no standard output")?);
        Ok(Self { child, input, output })
    }

    fn say(&mut self, line: &str) -> Result<()> {
        writeln!(self.input, "{line}").context("the engine does not listen any more")
    }

    fn line(&mut self) -> Result<String> {
        let mut line = String::new();
        if self.output.read_line(&mut line)? == 0 {
            bail!("the engine has ended");
        }
        Ok(line.trim_end().to_owned())
    }

    fn line_that_begins(&mut self, with: &str) -> Result<String> {
        loop {
            let line = self.line()?;
            if line.starts_with(with) {
                return Ok(line);
            }
        }
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        // It may have ended by itself; then there is nothing left to do.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A UCI engine that knows the variant `breakthrough` (8×8); other sizes are variants `btN` that the engine must
/// have been given through its options.
struct Uci {
    program: Program,
    limit: Duration,
    variant: Option<String>,
}

impl Uci {
    fn start(command: &str, limit: Duration, options: &[(&str, &str)]) -> Result<Self> {
        let mut program = Program::start(command)?;
        program.say("uci")?;
        program.line_that_begins("uciok")?;
        for (name, value) in options {
            program.say(&format!("setoption name {name} value {value}"))?;
        }
        Ok(Self { program, limit, variant: None })
    }

    fn ready(&mut self) -> Result<()> {
        self.program.say("isready")?;
        self.program.line_that_begins("readyok").map(drop)
    }
}

impl Player for Uci {
    fn new_game(&mut self, _: u64) -> Result<()> {
        self.program.say("ucinewgame")?;
        self.ready()
    }

    fn choose(&mut self, board: &PawnBoard, seat: Seat) -> Result<PawnMove> {
        let variant = match board.size().get() {
            8 => "breakthrough".to_owned(),
            n => format!("bt{n}"),
        };
        if self.variant.as_ref() != Some(&variant) {
            self.program.say(&format!("setoption name UCI_Variant value {variant}"))?;
            self.ready()?;
            self.variant = Some(variant);
        }
        self.program.say(&format!("position fen {}", fen(board, seat)))?;
        self.program.say(&format!("go movetime {}", self.limit.as_millis()))?;
        let answer = self.program.line_that_begins("bestmove")?;
        parse_uci(&answer).with_context(|| format!("cannot read `{answer}`"))
    }
}

/// The board in Forsyth–Edwards notation: the highest row first, seat one's pawns as `P`.
fn fen(board: &PawnBoard, seat: Seat) -> String {
    let rows: Vec<String> = board.to_rows().iter().rev().map(|row| fen_row(row)).collect();
    let side = if seat == Seat::One { 'w' } else { 'b' };
    format!("{} {side} 0 1", rows.join("/"))
}

fn fen_row(row: &str) -> String {
    let (mut text, mut empty) = (String::new(), 0);
    for cell in row.chars().chain(['|']) {
        if cell == '.' {
            empty += 1;
            continue;
        }
        if empty > 0 {
            text += &empty.to_string();
            empty = 0;
        }
        text.extend(match cell {
            '1' => Some('P'),
            '2' => Some('p'),
            _ => None,
        });
    }
    text
}

fn parse_uci(answer: &str) -> Option<PawnMove> {
    let mut squares = answer.strip_prefix("bestmove ")?.trim();
    let mut next = || {
        let column = squares.chars().next().filter(char::is_ascii_lowercase)?;
        let digits = squares[1..].find(|c: char| !c.is_ascii_digit()).map_or(squares.len(), |at| at + 1);
        let rank: u8 = squares[1..digits].parse().ok()?;
        squares = &squares[digits..];
        Some(Square::new(rank.checked_sub(1)?, column as u8 - b'a'))
    };
    Some(PawnMove::new(next()?, next()?))
}

/// A program that reads a position a line and answers with a move. It is started anew for each game, since it may
/// follow the game from its beginning.
struct Jsonl {
    command: String,
    program: Program,
    limit: Duration,
}

#[derive(Serialize)]
struct Question {
    size: u8,
    board: Vec<String>,
    side: u8,
    time_ms: u128,
}

#[derive(Deserialize)]
struct Answer {
    from: (u8, u8),
    to: (u8, u8),
}

impl Jsonl {
    fn start(command: &str, limit: Duration) -> Result<Self> {
        Ok(Self { command: command.to_owned(), program: Program::start(command)?, limit })
    }
}

impl Player for Jsonl {
    fn new_game(&mut self, _: u64) -> Result<()> {
        self.program = Program::start(&self.command)?;
        Ok(())
    }

    fn choose(&mut self, board: &PawnBoard, seat: Seat) -> Result<PawnMove> {
        let time_ms = self.limit.as_millis();
        let question = Question { size: board.size().get(), board: board.to_rows(), side: seat.number(), time_ms };
        self.program.say(&serde_json::to_string(&question)?)?;
        let line = self.program.line()?;
        let Answer { from, to } = serde_json::from_str(&line).with_context(|| format!("cannot read `{line}`"))?;
        Ok(PawnMove::new(Square::new(from.0, from.1), Square::new(to.0, to.1)))
    }
}

#[cfg(test)]
mod tests {
    use farside_rules::domain::pawns::{PawnBoard, PawnMove, Seat, Size, Square};

    use super::{fen, parse_uci};

    #[test]
    fn a_board_is_told_to_a_uci_engine_from_the_highest_row_down() {
        let board = PawnBoard::two_rows(Size::new(12).unwrap());
        let wanted = "pppppppppppp/pppppppppppp/12/12/12/12/12/12/12/12/PPPPPPPPPPPP/PPPPPPPPPPPP b 0 1";
        assert_eq!(fen(&board, Seat::Two), wanted);
    }

    #[test]
    fn a_uci_move_may_have_ranks_of_two_digits() {
        let step = PawnMove::new(Square::new(9, 0), Square::new(10, 1));
        assert_eq!(parse_uci("bestmove a10b11 ponder a1a2"), Some(step));
        assert_eq!(parse_uci("bestmove (none)"), None);
    }
}
