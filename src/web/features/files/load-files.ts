// The loaded messages with files of a conversation, channel or search.
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { NarrowTerm } from "../../../text/narrow-fragment.ts";
import { ApiError } from "../../contract/api-error.ts";
import { fetchAround, fetchMore } from "../../sync/load-feed.ts";
import { resolveUncertain } from "../../store/feed-view.ts";
import { type FeedView, newestSegment } from "../../feed/segments.ts";
import { getState, onChange } from "../../store/store.ts";
import { type MessageFile, filesIn } from "./message-files.ts";

export const WITH_FILES: NarrowTerm = { operator: "has", operand: "attachment", negated: false };

/** Number of files in the first request. */
const FIRST_COUNT = 50;
const GLANCE = { num_before: 10, priority: "prefetch" } as const;

const isWithFiles = ({ operator, operand }: NarrowTerm) =>
  operator === WITH_FILES.operator && operand === WITH_FILES.operand;

interface LoadOptions {
  /** Loads only the newest files, with lower priority. */
  isFew?: boolean;
  /** Set if nothing waits for the response. */
  isLater?: boolean;
}

/** Loads files as needed, and rerenders when the content of the view changes. */
export function useLoaded(view: FeedView, { isFew = false, isLater = false }: LoadOptions = {}) {
  useViewContent(view);
  const failure = useSignal<"lost" | "refused" | undefined>(undefined);
  const load = (more = newestSegment(view)) => {
    failure.value = undefined;
    const loading = more
      ? fetchMore(view, more, "up")
      : fetchAround(view, "newest", isFew ? GLANCE : {});
    // A request without access finds nothing.
    loading.catch((error: unknown) => {
      failure.value = error instanceof ApiError ? "refused" : "lost";
    });
  };
  const newest = newestSegment(view);
  const isKnown = newest !== undefined && !view.provisional;
  // A small first request is not complete.
  const isShort = !isFew && isKnown && newest.from > 0 && newest.ids.length < FIRST_COUNT;
  useEffect(() => {
    if (!isLater && (!isKnown || isShort)) load(isShort ? newest : undefined);
  }, [view.key, isKnown, isShort, isLater]);
  return { failure: failure.value, load };
}

/** Rerenders when the content of the view changes. */
export function useViewContent(view: FeedView): void {
  const revision = useSignal(view.revision);
  void revision.value;
  useEffect(
    () =>
      onChange(() => {
        // Messages that arrive tell whether they contain a file.
        if (view.unresolved.length > 0 && view.terms.some(isWithFiles)) {
          resolveUncertain(
            view,
            view.unresolved.splice(0).filter((id) => filesOf(id).length > 0),
          );
        }
        revision.value = view.revision;
      }),
    [view.key],
  );
}

/** Excludes muted users. */
export function filesOf(id: number): MessageFile[] {
  const { messages, people } = getState();
  const message = messages.byId.get(id);
  return message && !people.muted.has(message.sender_id) ? filesIn(message) : [];
}
