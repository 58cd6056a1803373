// Notification sounds, synthesized from two or three tones.
import { withTimeout } from "../../../async/with-timeout.ts";
import { ownValue } from "../../../text/input/own-value.ts";

interface SoundTone {
  readonly hertz: number;
  /** Start of the tone, in seconds. */
  readonly offset: number;
  readonly length: number;
}

/** Tones by value of the setting. */
const SOUNDS = {
  zulip: [
    { hertz: 587.33, offset: 0, length: 0.35 },
    { hertz: 880, offset: 0.11, length: 0.5 },
  ],
  ding: [
    { hertz: 1318.51, offset: 0, length: 0.7 },
    { hertz: 2637.02, offset: 0, length: 0.25 },
  ],
} satisfies Readonly<Record<string, readonly SoundTone[]>>;
const LOUDNESS = 0.12;
const ATTACK_SECONDS = 0.012;
/** Final volume of a tone, which cannot be 0. */
const SILENCE = 0.0001;

/** Browsers do not report that they block sound, so waiting is limited. */
const RESUME_MS = 500;

let context: AudioContext | undefined;

const isOn = () => context?.state === "running";

/** False if the browser blocks sound until the user interacts with the page. */
export async function playSound(name: string): Promise<boolean> {
  const tones = ownValue(SOUNDS, name) ?? SOUNDS.zulip;
  if (!("AudioContext" in globalThis)) return false;
  context ??= new AudioContext();
  if (!isOn()) {
    if (!navigator.userActivation?.hasBeenActive) return false;
    await withTimeout(context.resume(), RESUME_MS, () => {});
    if (!isOn()) return wait();
  }
  for (const tone of tones) play(context, tone);
  return true;
}

/** Safari allows sound only after a sound was started during an interaction. */
function wait(): false {
  const begin = () => void context?.resume();
  for (const kind of ["click", "keydown"]) {
    addEventListener(kind, begin, { capture: true, once: true });
  }
  return false;
}

function play(into: AudioContext, { hertz, offset, length }: SoundTone): void {
  const [tone, volume] = [into.createOscillator(), into.createGain()];
  const [start, end] = [into.currentTime + offset, into.currentTime + offset + length];
  tone.frequency.value = hertz;
  volume.gain.setValueAtTime(SILENCE, start);
  volume.gain.exponentialRampToValueAtTime(LOUDNESS, start + ATTACK_SECONDS);
  volume.gain.exponentialRampToValueAtTime(SILENCE, end);
  tone.connect(volume).connect(into.destination);
  tone.start(start);
  tone.stop(end);
}
