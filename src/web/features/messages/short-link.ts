// Short links with a message id, which lead to the message wherever it is now.
import { effect } from "@preact/signals";
import { fetchMessageNow } from "./fetch-sync.ts";
import { go, view } from "../../store/address.ts";
import { onRowAction } from "../../feed/row-actions.ts";
import { sync } from "../../sync/session.ts";
import { isStarted } from "../../store/store.ts";
import { showRefusal } from "../../sync/optimistic.ts";
import { viewAtMessage } from "../conversation/move-actions.ts";

const SHORT_LINK = /^\/m\/(\d{1,15})\/?$/;

/** The message id of a short link of this server. Undefined for other URLs. */
function shortLinkIn(pathname: string): number | undefined {
  const id = SHORT_LINK.exec(pathname)?.[1];
  return id === undefined ? undefined : Number(id);
}

async function openMessage(message_id: number, replace: boolean): Promise<void> {
  const before = view.peek();
  try {
    const { message } = await fetchMessageNow(sync, { message_id, allow_empty_topic_name: true });
    // The user may have opened another view since.
    if (view.peek() === before) go(viewAtMessage(message), { replace });
  } catch (error) {
    // Spectators see the sign-in page, which returns here.
    if (sync.hasLeft) go({ kind: "unknown", fragment: `m/${message_id}` }, { replace });
    else showRefusal(error);
  }
}

/** The URL that this tab was opened with. */
export function followShortLink(): void {
  const id = shortLinkIn(location.pathname);
  if (id === undefined) return;
  history.replaceState({}, "", "/");
  const end = effect(() => {
    if (!isStarted.value) return;
    queueMicrotask(() => end());
    void openMessage(id, true);
  });
}

onRowAction("open-message", ({ on }) => void openMessage(Number(on), false));
