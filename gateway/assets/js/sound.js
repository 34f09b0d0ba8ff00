/**
 * Quiet sounds for moves and ends, made by the browser itself: no files.
 *
 * Whether there is sound is kept on this device (`farside.sound` in local storage). Not here: when something sounds.
 */

const SETTING = "farside.sound";
/** Loudness of the loudest sound, of 1. */
const VOLUME = 0.06;

/** Notes as frequency in Hz, start and length in seconds. @type {Record<string, {wave: OscillatorType, notes: number[][]}>} */
const SOUNDS = {
  move: { wave: "sine", notes: [[330, 0, 0.07]] },
  reply: { wave: "sine", notes: [[262, 0, 0.08]] },
  capture: { wave: "triangle", notes: [[220, 0, 0.06], [165, 0.05, 0.1]] },
  reveal: { wave: "sine", notes: [[392, 0, 0.08], [523, 0.07, 0.1]] },
  won: { wave: "triangle", notes: [[392, 0, 0.12], [494, 0.12, 0.12], [587, 0.24, 0.26]] },
  lost: { wave: "triangle", notes: [[330, 0, 0.16], [262, 0.16, 0.3]] },
};

/** @type {AudioContext | null} */
let context = null;

/** Whether there is sound. @returns {boolean} */
export function isOn() {
  return localStorage.getItem(SETTING) !== "off";
}

/** @param {boolean} on */
export function setOn(on) {
  localStorage.setItem(SETTING, on ? "on" : "off");
}

/** Sounds once; silent before the first tap of a page, as browsers want it. @param {keyof typeof SOUNDS} name */
export function sound(name) {
  if (!isOn() || !navigator.userActivation?.hasBeenActive) return;
  context ??= new AudioContext();
  const { wave, notes } = SOUNDS[name];
  for (const [frequency, start, length] of notes) tone(context, wave, frequency, context.currentTime + start, length);
}

function tone(/** @type {AudioContext} */ audio, /** @type {OscillatorType} */ wave, /** @type {number} */ frequency, /** @type {number} */ at, /** @type {number} */ length) {
  const [source, gain] = [audio.createOscillator(), audio.createGain()];
  source.type = wave;
  source.frequency.value = frequency;
  gain.gain.setValueAtTime(0, at);
  gain.gain.linearRampToValueAtTime(VOLUME, at + 0.01);
  gain.gain.exponentialRampToValueAtTime(0.0001, at + length);
  source.connect(gain).connect(audio.destination);
  source.start(at);
  source.stop(at + length);
}
