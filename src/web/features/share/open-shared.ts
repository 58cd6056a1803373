// Opens the composer for shared content, and for the app's "new message" shortcut.
import { effect } from "@preact/signals";
import { go, view } from "../../store/address.ts";
import { isStarted } from "../../store/store.ts";
import { showToast } from "../../ui/toast.tsx";
import { t } from "../../words/words.ts";
import { stores } from "../compose/stores-sync.ts";
import { recipientDraft } from "../compose/session-state.ts";
import { withComposer } from "../compose/handle-state.ts";
import { takeStoredShare } from "./state.ts";

/** URLs of the manifest, which are not views. */
export function followShared(): void {
  effect(() => {
    const { kind } = view.value;
    const fragment = view.value.kind === "unknown" ? view.value.fragment : "";
    if (kind !== "unknown" || !isStarted.value || !stores.value) return;
    if (fragment !== "share" && fragment !== "new") return;
    queueMicrotask(() => void openWithShared(fragment === "share"));
  });
}

async function openWithShared(isShared: boolean): Promise<void> {
  go({ kind: "home" }, { replace: true });
  const shared = isShared ? await takeStoredShare() : undefined;
  if (isShared && !shared) return void showToast({ text: t("share-nothing"), isAlert: true });
  recipientDraft.value = { kind: "channel", stream_id: undefined, topic: "", isNew: true };
  if (!shared) return;
  withComposer((open) => {
    if (shared.text !== "") open.insert(shared.text);
    if (shared.files.length > 0) open.attach(shared.files);
  });
}
