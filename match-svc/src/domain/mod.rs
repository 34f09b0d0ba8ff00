//! The rules of the lobby, of sets and of clocks: pure decisions on values. No time, chance, storage or network of its
//! own: moments, ids and random bytes are arguments, and what is to be carried out is returned as data.

pub mod challenge;
pub mod clock;
pub mod event;
pub mod fault;
pub mod game;
pub mod ids;
pub mod offer;
pub mod outage;
pub mod participant;
pub mod past;
pub mod position;
pub mod record;
pub mod set;
pub mod standing;
pub mod view;
