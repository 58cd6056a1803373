// The `#narrow/…` addresses of channels, topics, conversations and messages.

/** From the root of the realm. `with` undefined: the topic has no message to point to. */
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

/** A message between people; these are all of them, ascending. */
export function directUrl(user_ids: readonly number[], near: number): string {
  return `/#narrow/dm/${user_ids.join(",")}-${user_ids.length > 2 ? "group" : "dm"}/near/${near}`;
}

/** Percent-encoding, but with a dot for the percent sign. */
export function encodeFragment(text: string): string {
  if (/^[A-Za-z0-9_~-]*$/.test(text)) return text;
  return encodeURIComponent(text.toWellFormed())
    .replace(/[.!*'()]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)
    .replaceAll("%", ".");
}
