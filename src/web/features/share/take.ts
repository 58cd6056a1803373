// Leads into the composer what was shared with the client, and who wants to begin a message.
import { effect } from "@preact/signals";
import { go, view } from "../../address.ts";
import { isStarted } from "../../live.ts";
import { showToast } from "../../ui/toast.tsx";
import { say } from "../../words/words.ts";
import { shelf } from "../compose/desk.ts";
import { aim, withComposer } from "../compose/session.ts";
import { takeShared } from "./shared.ts";

/** Addresses of the manifest; they are no views. */
export function followShared(): void {
  effect(() => {
    const { kind } = view.value;
    const fragment = view.value.kind === "unknown" ? view.value.fragment : "";
    if (kind !== "unknown" || !isStarted.value || !shelf.value) return;
    if (fragment !== "share" && fragment !== "new") return;
    queueMicrotask(() => void begin(fragment === "share"));
  });
}

async function begin(isShared: boolean): Promise<void> {
  go({ kind: "home" }, { replace: true });
  const shared = isShared ? await takeShared() : undefined;
  if (isShared && !shared) return showToast({ words: say("share-nothing"), isAlert: true });
  aim.value = { kind: "channel", stream_id: undefined, topic: "", isNew: true };
  if (!shared) return;
  withComposer((open) => {
    if (shared.words !== "") open.insert(shared.words);
    if (shared.files.length > 0) open.attach(shared.files);
  });
}
