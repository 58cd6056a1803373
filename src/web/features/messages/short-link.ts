// Addresses that name a message by its number alone: they lead to it wherever it is.
import { effect } from "@preact/signals";
import { fetchMessage } from "../../api/calls.ts";
import { go } from "../../address.ts";
import { onAct } from "../../feed/acts.ts";
import { sync } from "../../here.ts";
import { isStarted } from "../../live.ts";
import { showRefusal } from "../../optimistic.ts";
import { inContext } from "../conversation/moves.ts";

const SHORT = /^\/m\/(\d{1,15})\/?$/;

/** The message id of a short link of this server. Undefined for other URLs. */
export function shortLinkIn(pathname: string): number | undefined {
  const id = SHORT.exec(pathname)?.[1];
  return id === undefined ? undefined : Number(id);
}

async function openMessage(message_id: number, replace: boolean): Promise<void> {
  try {
    const { message } = await fetchMessage(sync, { message_id, allow_empty_topic_name: true });
    go(inContext(message), { replace });
  } catch (error) {
    // Spectators see the sign-in page, which returns here.
    if (sync.hasLeft) go({ kind: "unknown", fragment: `m/${message_id}` }, { replace });
    else showRefusal(error);
  }
}

/** The address that this tab was opened with. */
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

onAct("open-message", ({ on }) => void openMessage(Number(on), false));
