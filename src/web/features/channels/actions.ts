// A user's own settings of a channel: mute, pin, color, notifications, joining and leaving.
import { joinChannels, leaveChannels, setSubscription } from "../../api/message-calls.ts";
import { sync } from "../../sync/session.ts";
import { getState } from "../../store/store.ts";
import { optimistic, showRefusal } from "../../sync/optimistic.ts";
import type { LocalEvent } from "../../contract/snapshot.ts";
import { showToast } from "../../ui/toast.tsx";
import { t } from "../../words/words.ts";

export type Property =
  | "is_muted"
  | "pin_to_top"
  | "color"
  | "desktop_notifications"
  | "audible_notifications"
  | "push_notifications"
  | "email_notifications"
  | "wildcard_mentions_notify";

type Setting = string | boolean;

export function setProperty(stream_id: number, property: Property, value: Setting): void {
  const before = getState().channels.channels.get(stream_id)?.row[property] ?? null;
  if (before === value) return;
  const localEvent = (to: Setting | null): LocalEvent => {
    return { type: "subscription", op: "update", stream_id, property, value: to };
  };
  const request = setSubscription.toRequest({
    subscription_data: [{ stream_id, property, value }],
  });
  void optimistic(request, [localEvent(value)], [localEvent(before)]);
}

/** Waits for the server's event, because only the server knows what the user may see then. */
export async function joinChannel(stream_id: number): Promise<void> {
  const name = getState().channels.channels.get(stream_id)?.row.name;
  if (name === undefined) return;
  try {
    await joinChannels(sync, { add: [{ name }] });
  } catch (error) {
    showRefusal(error);
  }
}

export async function leaveChannel(stream_id: number): Promise<void> {
  const name = getState().channels.channels.get(stream_id)?.row.name;
  if (name === undefined) return;
  try {
    await leaveChannels(sync, { subscriptions: [name] });
    showToast({ text: t("left-channel", { name }), undo: () => void joinChannel(stream_id) });
  } catch (error) {
    showRefusal(error);
  }
}
