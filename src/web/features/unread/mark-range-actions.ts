// Lets the server mark messages that are not loaded as read or unread.
import { changeFlagsBefore } from "../../api/message-calls.ts";
import { sync } from "../../sync/session.ts";
import { optimistic, personalStore } from "../../sync/optimistic.ts";
import type { MutationQueue } from "../../sync/mutations/queue.ts";
import { showToast } from "../../ui/toast.tsx";
import { t } from "../../words/words.ts";

/** Maximum of messages per request. */
const MESSAGES_A_REQUEST = 5000;

interface FlagRange {
  narrow: readonly unknown[];
  /** Marks messages after the anchor as unread, or those before it as read. */
  anchor: string;
  isAfter: boolean;
}

interface MarkingToEnd {
  /** Number of marked messages; undefined if the request was rejected or stopped. */
  readonly finished: Promise<{ count: number } | undefined>;
  /** The last marked message so far. */
  last(): number;
  stop(): void;
}

/** Marks them in steps, as a pending mutation that survives the network and the page. */
export function markThroughEnd({ anchor, narrow, isAfter }: FlagRange): MarkingToEnd {
  const [op, textKey] = isAfter
    ? (["remove", "marked-unread"] as const)
    : (["add", "marked-read"] as const);
  const counts = {
    num_before: isAfter ? 0 : MESSAGES_A_REQUEST,
    num_after: isAfter ? MESSAGES_A_REQUEST : 0,
  };
  const params = { ...counts, op, flag: "read", include_anchor: false, narrow: [...narrow] };
  const finished = Promise.withResolvers<{ count: number } | undefined>();
  let [count, last] = [0, 0];
  const request = optimistic(changeFlagsBefore.toRequest({ ...params, anchor }), [], []);
  const withKey = async (action: (mutations: MutationQueue, key: string) => unknown) =>
    action((await personalStore()).mutations, await request);
  void withKey((mutations, key) =>
    mutations.follow(key, (step) => {
      if (!step) return finished.resolve(undefined);
      count += step.updated_count;
      last = (isAfter ? step.last_processed_id : step.first_processed_id) ?? 0;
      if (isAfter ? step.found_newest : step.found_oldest) finished.resolve({ count });
      else showToast({ text: t(textKey, { count }) });
    }),
  );
  if (sync.connection.peek().kind !== "live") showToast({ text: t("change-waiting") });
  return {
    finished: finished.promise,
    last: () => last,
    stop: () => void withKey((mutations, key) => mutations.discard(key)),
  };
}
