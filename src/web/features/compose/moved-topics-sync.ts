// The composer and the drafts follow a topic that is renamed or moved.
import { effect } from "@preact/signals";
import { keyOfConversation } from "../../conversation-keys.ts";
import { sync } from "../../sync/session.ts";
import { cancelWaiting, sendAfterUpload } from "../uploads/send-after-upload-sync.ts";
import { openComposer } from "./handle-state.ts";
import { movedTopic } from "./session-state.ts";
import { stores } from "./stores-sync.ts";

effect(() => {
  const [moved, open] = [movedTopic.value, stores.value];
  if (!moved || !open) return;
  const [from, key] = [keyOfConversation(moved.from), keyOfConversation(moved.to)];
  if (from === key) return;
  const isShown = openComposer()?.follow(from, moved.to) === true;
  open.drafts.follow(from, moved.to, isShown);
  const wait = cancelWaiting(from);
  if (wait) sendAfterUpload(key, { ...wait, send: (text) => wait.send(text, moved.to) });
});

sync.listen((events) => {
  for (const event of events) {
    if (event.type !== "update_message" || event.propagate_mode !== "change_all") continue;
    const { stream_id, orig_subject, new_stream_id, subject } = event;
    if (stream_id === undefined || orig_subject === undefined) continue;
    const to = { stream_id: new_stream_id ?? stream_id, topic: subject ?? orig_subject };
    movedTopic.value = { from: { stream_id, topic: orig_subject }, to };
  }
});
