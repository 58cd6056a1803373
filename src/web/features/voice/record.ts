// Records voice messages: one at a time, with limited length, stored nowhere until finished.
import { signal } from "@preact/signals";
import { MINUTE_MS } from "../../../contract/units.ts";

/** Longer recordings must be uploaded as files. */
const RECORDING_MS_MAX = 15 * MINUTE_MS;
const TICK_MS = 250;
/** Formats that browsers can record, with file extensions. */
const AUDIO_FORMATS: readonly (readonly [type: string, ending: string])[] = [
  ["audio/webm;codecs=opus", "weba"],
  ["audio/mp4", "m4a"],
  ["audio/ogg;codecs=opus", "oga"],
];

/** Milliseconds so far; undefined if nothing is being recorded. */
export const recordedMs = signal<number | undefined>(undefined);

interface Voice {
  readonly blob: Blob;
  readonly ms: number;
  readonly ending: string;
}

/** Browsers offer no microphone over plain HTTP. */
export const canRecord = (): boolean =>
  "MediaRecorder" in globalThis && navigator.mediaDevices !== undefined && form() !== undefined;

const form = () => AUDIO_FORMATS.find(([type]) => MediaRecorder.isTypeSupported(type));

let stop: ((keep: boolean) => void) | undefined;

/**
 * Returns the recording, or undefined if it was canceled. Throws if the microphone is not
 * available.
 */
export async function record(): Promise<Voice | undefined> {
  if (recordedMs.peek() !== undefined) return undefined;
  recordedMs.value = 0;
  let isCanceled = false;
  // Until the user allows the microphone.
  stop = () => (isCanceled = true);
  let stream: MediaStream | undefined;
  try {
    stream = await navigator.mediaDevices.getUserMedia({ audio: true });
    return isCanceled ? undefined : await listen(stream);
  } finally {
    // The browser's recording indicator disappears.
    for (const track of stream?.getTracks() ?? []) track.stop();
    recordedMs.value = undefined;
    stop = undefined;
  }
}

/** `keep`: false cancels the recording. */
export const endRecording = (keep: boolean): void => stop?.(keep);

function listen(stream: MediaStream): Promise<Voice | undefined> {
  const [type, ending] = form()!;
  const recorder = new MediaRecorder(stream, { mimeType: type });
  const chunks: Blob[] = [];
  const startedAt = performance.now();
  const elapsedMs = () => performance.now() - startedAt;
  const { promise, resolve, reject } = Promise.withResolvers<Voice | undefined>();
  let isWanted = true;
  recorder.start();
  const timer = setInterval(() => {
    recordedMs.value = elapsedMs();
    if (elapsedMs() > RECORDING_MS_MAX) stop?.(true);
  }, TICK_MS);
  stop = (keep) => {
    isWanted = keep;
    if (recorder.state !== "inactive") recorder.stop();
  };
  recorder.addEventListener("dataavailable", ({ data }) => chunks.push(data));
  recorder.addEventListener("error", () => reject(new Error("the recording broke off")));
  recorder.addEventListener("stop", () => {
    const blob = new Blob(chunks, { type: type.replace(/;.*/s, "") });
    resolve(isWanted && blob.size > 0 ? { blob, ms: elapsedMs(), ending } : undefined);
  });
  return promise.finally(() => clearInterval(timer));
}
