// The index is put in order aside, some steps a round, so that no send has to wait for it.
import { perRealm, type Realm } from "../../realm.ts";
import { foldStep } from "./fold.ts";

/** More than the busiest second leaves to do. */
const STEPS_MAX = 100;

const states = perRealm(() => ({ isUnderWay: false }));

/** Each step is a transaction: others have their turn between two of them. */
export async function foldIndex(realm: Realm): Promise<void> {
  const state = states(realm);
  if (state.isUnderWay) return;
  state.isUnderWay = true;
  try {
    for (let steps = 0; steps < STEPS_MAX; steps++) {
      if (!(await realm.write((tx) => foldStep(tx)))) return;
    }
  } finally {
    state.isUnderWay = false;
  }
}
