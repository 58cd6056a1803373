// Marks what was not fetched, and what nobody counts, as read or unread: the server does it.
import { changeFlagsBefore } from "../../api/deed-calls.ts";
import { sync } from "../../here.ts";
import { optimistic, ownDesk } from "../../optimistic.ts";
import type { Doings } from "../../sync/doings/doings.ts";
import { showToast } from "../../ui/toast.tsx";
import { say } from "../../words/words.ts";

/** Maximum of messages per request. */
const AT_ONCE = 5000;

interface Asked {
  narrow: readonly unknown[];
  /** Marks messages after the anchor as unread, or those before it as read. */
  anchor: string;
  isAfter: boolean;
}

export interface MarkingToEnd {
  /** How many were marked; undefined where it was refused, or stopped. */
  readonly over: Promise<{ count: number } | undefined>;
  /** The last of them by now. */
  last(): number;
  stop(): void;
}

/** Step by step to the end, also without a network or this page: they wait as what else is done. */
export function markToEnd({ anchor, narrow, isAfter }: Asked): MarkingToEnd {
  const [op, words] = isAfter
    ? (["remove", "marked-unread"] as const)
    : (["add", "marked-read"] as const);
  const counts = { num_before: isAfter ? 0 : AT_ONCE, num_after: isAfter ? AT_ONCE : 0 };
  const asked = { ...counts, op, flag: "read", include_anchor: false, narrow: [...narrow] };
  const over = Promise.withResolvers<{ count: number } | undefined>();
  let [count, last] = [0, 0];
  const begun = optimistic(changeFlagsBefore.asked({ ...asked, anchor }), [], []);
  const withDoing = async (act: (doings: Doings, key: string) => unknown) =>
    act((await ownDesk()).doings, await begun);
  void withDoing((doings, key) =>
    doings.followers.set(key, (step) => {
      if (!step) return over.resolve(undefined);
      count += step.updated_count;
      last = (isAfter ? step.last_processed_id : step.first_processed_id) ?? 0;
      if (isAfter ? step.found_newest : step.found_oldest) over.resolve({ count });
      else showToast({ words: say(words, { count }) });
    }),
  );
  if (sync.standing.peek().kind !== "live") showToast({ words: say("change-waiting") });
  return {
    over: over.promise,
    last: () => last,
    stop: () => void withDoing((doings, key) => doings.discard(key)),
  };
}
