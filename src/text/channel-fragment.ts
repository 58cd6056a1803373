// Builds `#narrow/…` URLs of channels, topics, conversations and messages.
import { encodeFragment } from "./narrow-fragment.ts";

/** Relative to the realm's root. `with` is undefined if the topic has no message. */
export function narrowUrl(
  channel: { stream_id: number; name: string },
  topic?: string,
  message: { with?: number | undefined; near?: number } = {},
): string {
  const name = encodeFragment(channel.name.replaceAll(" ", "-"));
  let url = `/#narrow/channel/${channel.stream_id}-${name}`;
  if (topic !== undefined) url += `/topic/${encodeFragment(topic)}`;
  if (message.with !== undefined) url += `/with/${message.with}`;
  if (message.near !== undefined) url += `/near/${message.near}`;
  return url;
}

/** A direct message; `user_ids` are all participants, ascending. */
export function directUrl(user_ids: readonly number[], id: number): string {
  return `/#narrow/dm/${user_ids.join(",")}-${user_ids.length > 2 ? "group" : "dm"}/near/${id}`;
}
