// Actions that are displayed at once, stored until confirmed, and undone if rejected.
import { fetchMessage } from "../api/calls.ts";
import { ApiError, MESSAGE_MISSING } from "../contract/api-error.ts";
import { storeMessages } from "./load-feed.ts";
import { missingMessageText } from "../features/messages/unavailable-selectors.ts";
import { personal, sync } from "./session.ts";
import { withConcurrentEvents } from "../store/store.ts";
import type { LocalEvent } from "../contract/snapshot.ts";
import type { ChangeOptions, MutationRequest, Rejection } from "./mutations/types.ts";
import type { PersonalStore } from "./personal-store.ts";
import { showToast } from "../ui/toast.tsx";
import { t } from "../words/words.ts";

/**
 * Applies the events `local` at once, and sends the request until the server answers. Resolves with
 * the key of the mutation, by which it can be discarded until the server has it.
 */
export async function optimistic(
  request: MutationRequest,
  local: readonly LocalEvent[],
  inverse: readonly LocalEvent[],
  options: ChangeOptions = {},
): Promise<string> {
  const { mutations } = personal.peek() ?? (await personalStore());
  return mutations.change(request, local, inverse, options);
}

/**
 * Hides something at once, and deletes it on the server after `ms`, until when the user can undo
 * it.
 */
export async function deleteWithUndo(
  request: MutationRequest,
  local: readonly LocalEvent[],
  inverse: readonly LocalEvent[],
  { text, ms, ...options }: Omit<ChangeOptions, "not_before"> & { text: string; ms: number },
): Promise<void> {
  const added = optimistic(request, local, inverse, { ...options, not_before: Date.now() + ms });
  const discard = async () => personal.peek()?.mutations.discard(await added);
  const hide = showToast({ text, undo: () => void discard(), ms });
  const key = await added;
  // The notice stays while it has the pointer or the focus, but its Undo would do nothing.
  personal.peek()?.mutations.follow(key, (step) => step ?? hide());
}

/** For views that are shown only after the store is open. */
export function openPersonalStore(): PersonalStore {
  const store = personal.peek();
  if (!store) throw new Error("The store of unsent changes is not open yet.");
  return store;
}

/** Available shortly after the first state. */
export function personalStore(): Promise<PersonalStore> {
  return new Promise((resolve) => {
    const stop = personal.subscribe((store) => {
      if (!store) return;
      resolve(store);
      queueMicrotask(() => stop());
    });
  });
}

/** Shows why a request failed: the server's reason, or that there is no network. */
export function showRefusal(error: unknown): void {
  const text = error instanceof ApiError ? rejectionText(error) : t("server-unreachable");
  showToast({ text, isAlert: true });
}

/** The error as a sentence for the user. */
export function rejectionText(
  { code, text }: Pick<Rejection, "code" | "text">,
  message_id = 0,
): string {
  if (code === "EXPECTATION_MISMATCH") return t("edit-conflict");
  if (code === MESSAGE_MISSING) return missingMessageText(message_id);
  return text === "" ? t("moved-meanwhile") : text;
}

/** Fetches the message, which may have changed since the optimistic change. */
export async function reloadMessage(message_id: number): Promise<void> {
  try {
    const params = { message_id, allow_empty_topic_name: true };
    const [{ message }, concurrent] = await withConcurrentEvents(() => fetchMessage(sync, params));
    storeMessages([message], concurrent);
  } catch {
    // The message is gone or inaccessible. Events report that, too.
  }
}
