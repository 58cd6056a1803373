/** Clock, timers and randomness, which tests replace. */

export interface Runtime {
  now(): number;
  random(): number;
  after(ms: number, act: () => void): () => void;
}

export const browserRuntime: Runtime = {
  now: () => Date.now(),
  random: () => Math.random(),
  after(ms, act) {
    const timer = setTimeout(act, ms);
    return () => clearTimeout(timer);
  },
};
