// The index is put in order aside, some steps a round, so that no send has to wait for it.
import { perRealm, type Realm } from "../../realm.ts";
import { gcStep, type Sweep } from "./gc.ts";
import { mergeStep } from "./merge.ts";

/** More than the busiest second leaves to do. */
const STEPS_MAX = 100;

/** What one turn leaves, the next one takes. */
const SWEEP_STEPS_MAX = 200;

interface State {
  merging?: Promise<void> | undefined;
  sweep?: Sweep | undefined;
}

const states = perRealm((): State => ({}));

/** Who asks while it is under way waits for its end. */
export function mergeIndex(realm: Realm): Promise<void> {
  const state = states(realm);
  return (state.merging ??= mergeAll(realm).finally(() => (state.merging = undefined)));
}

/** While it lasts, segments become parts of others only where a send cannot do without. */
export async function atRest<T>(realm: Realm, work: () => Promise<T>): Promise<T> {
  const state = states(realm);
  await state.merging?.catch(() => {});
  const done = work();
  const merging = done.then(
    () => {},
    () => {},
  );
  state.merging = merging.finally(() => (state.merging = undefined));
  return done;
}

/** Each step is a transaction: others have their turn between two of them. */
async function mergeAll(realm: Realm): Promise<void> {
  for (let steps = 0; steps < STEPS_MAX; steps++) {
    if (!(await realm.write((tx) => mergeStep(tx)))) return;
  }
}

export async function gcIndex(realm: Realm): Promise<void> {
  const state = states(realm);
  const isClean = realm.read.search_gone.chunks([0])[Symbol.iterator]().next().done;
  if (isClean) return;
  let steps = SWEEP_STEPS_MAX;
  const sweeping = realm.inSteps((tx) => {
    state.sweep = gcStep(tx, state.sweep);
    return state.sweep !== undefined && --steps > 0;
  });
  // What a commit that failed had swept is to be swept again.
  sweeping.catch(() => (state.sweep = undefined));
  await sweeping;
}
