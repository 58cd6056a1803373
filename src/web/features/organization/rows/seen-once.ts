// Shows what the server took before it tells of it.
import { desk } from "../../../here.ts";
import { take } from "../../../live.ts";
import type { Deed } from "../../../snapshot.ts";

/** Asks without waiting for a network; what the server took is seen before it tells of it. */
export async function seenOnce(asked: Promise<unknown>, foretold: readonly Deed[]): Promise<void> {
  const forget = desk.peek()?.doings.expect(foretold);
  try {
    await asked;
  } catch (error) {
    forget?.();
    throw error;
  }
  take(foretold);
}
