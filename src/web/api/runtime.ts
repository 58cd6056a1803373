/** Clock, timers and randomness, which tests replace. */

export interface Runtime {
  now(): number;
  random(): number;
  after(ms: number, callback: () => void): () => void;
}

export const browserRuntime: Runtime = {
  now: () => Date.now(),
  random: () => Math.random(),
  after(ms, callback) {
    const timer = setTimeout(callback, ms);
    return () => clearTimeout(timer);
  },
};
