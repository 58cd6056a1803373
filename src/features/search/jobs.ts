// Background maintenance of the search index, some steps per round, so that sends do not wait.
import { perRealm, type Reader, type Realm } from "../../realm.ts";
import { gcStep, type Sweep } from "./gc.ts";
import { mergeStep } from "./merge.ts";

/** More steps than the busiest second creates. */
const STEPS_MAX = 100;

/** The next run continues with the rest. */
const SWEEP_STEPS_MAX = 200;

interface State {
  merging?: Promise<void> | undefined;
  sweep?: Sweep | undefined;
}

const states = perRealm((): State => ({}));

/** A call during a running merge waits for its end. */
export function mergeIndex(realm: Realm): Promise<void> {
  return mergeOnce(realm, mergeAll);
}

/** Like `mergeIndex`, with a pause after each step, for jobs that add many messages. */
export function mergeIndexInSteps(realm: Realm): Promise<void> {
  return mergeOnce(realm, () => realm.inSteps((tx) => mergeStep(tx)));
}

function mergeOnce(realm: Realm, merge: (realm: Realm) => Promise<void>): Promise<void> {
  const state = states(realm);
  return (state.merging ??= merge(realm).finally(() => (state.merging = undefined)));
}

/** During the work, segments are merged only if a send requires it. */
export async function withoutMerging<T>(realm: Realm, work: () => Promise<T>): Promise<T> {
  const state = states(realm);
  await state.merging?.catch(() => {});
  const workDone = work();
  const merging = workDone.then(
    () => {},
    () => {},
  );
  state.merging = merging.finally(() => (state.merging = undefined));
  return workDone;
}

/** Each step is a transaction; other requests run in between. */
async function mergeAll(realm: Realm): Promise<void> {
  for (let steps = 0; steps < STEPS_MAX; steps++) {
    if (!(await realm.write((tx) => mergeStep(tx)))) return;
  }
}

export async function gcIndex(realm: Realm): Promise<void> {
  const state = states(realm);
  if (isClean(realm.read)) return;
  let steps = SWEEP_STEPS_MAX;
  const sweeping = realm.inSteps((tx) => {
    state.sweep = gcStep(tx, state.sweep);
    return state.sweep !== undefined && --steps > 0;
  });
  // If a commit fails, its chunks must be swept again.
  sweeping.catch(() => (state.sweep = undefined));
  await sweeping;
}

/** Ends the iteration, because an unfinished one keeps a transaction of the store open. */
function isClean({ search_gone }: Reader): boolean {
  for (const _chunk of search_gone.chunks([0])) return false;
  return true;
}
