//! Decides what happens to each request by the script that runs, and notes everything that is seen. Pure: time comes in.

use super::ask::{Ask, Channel, Kind};
use super::log::{Fate, Log, Ms, What};
use super::script::{Act, On, Script, Step};

/// The script that runs, with what has happened in it.
#[derive(Debug)]
struct Running {
    script: Script,
    set_id: Option<String>,
    moves: u32,
    polls: u32,
    events: u32,
}

/// Decides and notes.
#[derive(Debug, Default)]
pub(crate) struct Director {
    log: Log,
    running: Option<Running>,
    secrets: Vec<String>,
}

impl Director {
    /// A key of the bot, which belongs in headers alone.
    pub(crate) fn knows(&mut self, key: &str) {
        self.secrets.push(key.to_owned());
    }

    /// What was seen so far.
    pub(crate) fn log(&self) -> &Log {
        &self.log
    }

    /// Notes something by itself.
    pub(crate) fn note(&mut self, at_ms: Ms, what: What) {
        self.log.note(at_ms, what);
    }

    /// A script begins; its game comes with [`Director::plays`].
    pub(crate) fn begin(&mut self, at_ms: Ms, script: Script) {
        self.log.note(at_ms, What::Began(script.name));
        self.running = Some(Running { script, set_id: None, moves: 0, polls: 0, events: 0 });
    }

    /// The set that the script plays.
    pub(crate) fn plays(&mut self, set_id: &str) {
        if let Some(running) = &mut self.running {
            running.set_id = Some(set_id.to_owned());
        }
    }

    /// Whether answers are to hold unknown fields.
    pub(crate) fn is_strange(&self) -> bool {
        self.running.as_ref().is_some_and(|running| running.script.is_strange)
    }

    /// Notes a request; returns its place and what is to happen to it.
    pub(crate) fn asked(&mut self, at_ms: Ms, ask: Ask) -> (usize, Option<Act>) {
        let act = self.running.as_mut().and_then(|running| running.act_on(&ask));
        (self.log.note(at_ms, What::Asked(ask)), act)
    }

    /// Notes what became of a request.
    pub(crate) fn came(&mut self, at_ms: Ms, to: usize, fate: Fate) {
        self.log.note(at_ms, What::Came { to, fate });
    }

    /// Counts an event on its way to the bot; whether the stream is to be cut within it.
    pub(crate) fn cuts_event(&mut self) -> bool {
        self.running.as_mut().is_some_and(|running| {
            running.events += 1;
            let nth = running.events;
            running.take(On::Event, nth, |_| true).is_some()
        })
    }

    /// Notes a key in an address.
    pub(crate) fn check_address(&mut self, at_ms: Ms, address: &str) {
        if self.holds_key(address) {
            self.log.note(at_ms, What::Leaked("in the address of a request"));
        }
    }

    /// Whether text holds a key of the bot.
    pub(crate) fn holds_key(&self, text: &str) -> bool {
        self.secrets.iter().any(|key| text.contains(key.as_str()))
    }
}

impl Running {
    fn act_on(&mut self, ask: &Ask) -> Option<Act> {
        let fits = |act: Act| ask.channel == Channel::Http || act.fits_a_frame();
        match &ask.kind {
            Kind::Move(played) if self.set_id.as_ref() == Some(&played.set_id) => {
                self.moves += 1;
                self.take(On::Move, self.moves, fits)
            }
            Kind::Poll => {
                self.polls += 1;
                self.take(On::Poll, self.polls, fits)
            }
            _ => None,
        }
    }

    /// Takes the step whose time has come.
    fn take(&mut self, on: On, nth: u32, fits: impl Fn(Act) -> bool) -> Option<Act> {
        let is_due = |step: &Step| step.on == on && step.nth <= nth && fits(step.act);
        let place = self.script.steps.iter().position(is_due)?;
        Some(self.script.steps.remove(place).act)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::commands::conformance::ask::Played;
    use crate::commands::conformance::script::Name;

    fn a_move(set_id: &str, channel: Channel) -> Ask {
        let played = Played { set_id: set_id.to_owned(), game: 1, ply: 0, choice: json!({}) };
        Ask { channel, kind: Kind::Move(played), route: String::new() }
    }

    fn director(steps: Vec<Step>) -> Director {
        let mut director = Director::default();
        director.begin(0, Script { steps, ..Script::new(Name::LostAnswers, 0) });
        director.plays("set_1");
        director
    }

    #[test]
    fn a_fault_meets_the_request_that_it_waits_for_and_only_in_its_game() {
        let mut director = director(vec![Step { on: On::Move, nth: 2, act: Act::LoseAnswer }]);
        let mut act = |set: &str| director.asked(0, a_move(set, Channel::Http)).1;
        assert_eq!([act("set_1"), act("set_2"), act("set_1"), act("set_1")], [None, None, Some(Act::LoseAnswer), None]);
    }

    #[test]
    fn a_fault_that_does_not_fit_a_frame_waits_for_a_request() {
        let mut director = director(vec![Step { on: On::Move, nth: 1, act: Act::Refuse(429, 1) }]);
        assert_eq!(director.asked(0, a_move("set_1", Channel::Socket)).1, None);
        assert_eq!(director.asked(0, a_move("set_1", Channel::Http)).1, Some(Act::Refuse(429, 1)));
    }

    #[test]
    fn a_key_in_an_address_is_noted() {
        let mut director = director(Vec::new());
        director.knows("fsk_secret");
        director.check_address(5, "/v1/me?key=fsk_secret");
        assert_eq!(director.log().entries().last().unwrap().what, What::Leaked("in the address of a request"));
    }
}
