// Marks what was not fetched, and what nobody counts, as read or unread: the server does it.
import { changeFlagsBefore } from "../../api/deed-calls.ts";
import { sync } from "../../here.ts";
import { showToast } from "../../ui/toast.tsx";
import { say } from "../../words/words.ts";

/** As many as the server takes in one step. */
const AT_ONCE = 5000;

interface Asked {
  narrow: readonly unknown[];
  /** What is there after it is marked as unread, or what is there before it as read. */
  anchor: string;
  isAfter: boolean;
}

/** Step by step to the end: how many were marked, and the last of them; meanwhile, how many yet. */
export async function markToEnd({ anchor, narrow, isAfter }: Asked) {
  const [op, words] = isAfter
    ? (["remove", "marked-unread"] as const)
    : (["add", "marked-read"] as const);
  const counts = { num_before: isAfter ? 0 : AT_ONCE, num_after: isAfter ? AT_ONCE : 0 };
  const asked = { ...counts, op, flag: "read", include_anchor: false, narrow: [...narrow] };
  for (let [from, count] = [anchor, 0]; ;) {
    const step = await changeFlagsBefore(sync, { ...asked, anchor: from });
    count += step.updated_count;
    const last = (isAfter ? step.last_processed_id : step.first_processed_id) ?? 0;
    if (isAfter ? step.found_newest : step.found_oldest) return { count, last };
    from = `${last}`;
    showToast({ words: say(words, { count }) });
  }
}
