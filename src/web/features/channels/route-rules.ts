// The URLs of channel pages, including the forms used in emails and by other clients.
import { ownValue } from "../../../text/input/own-value.ts";
import type { View } from "../../views.ts";

export const FILTERS = ["all", "subscribed", "available", "archived"] as const;
export type ChannelFilter = (typeof FILTERS)[number];
const SECTIONS = ["general", "permissions", "subscribers", "personal"] as const;
export type ChannelSection = (typeof SECTIONS)[number];

type ChannelPage =
  | { kind: "list"; filter: ChannelFilter }
  | { kind: "new" }
  | { kind: "folders" }
  | { kind: "one"; stream_id: number; section: ChannelSection };

const ALIASES: Readonly<Record<string, ChannelFilter>> = {
  notsubscribed: "available",
  unsubscribed: "available",
  "not-subscribed": "available",
};

/** `5/design/general`, `5/design`, `subscribed`, `new`; anything else is the list of channels. */
export function channelPageOf(path: readonly string[]): ChannelPage {
  const [first = "", ...rest] = path;
  if (first === "new" || first === "folders") return { kind: first };
  const stream_id = Number.parseInt(first, 10);
  if (stream_id > 0) {
    const section = SECTIONS.find((name) => name === rest.at(-1)) ?? "general";
    return { kind: "one", stream_id, section };
  }
  return {
    kind: "list",
    filter: FILTERS.find((filterName) => filterName === first) ?? ownValue(ALIASES, first) ?? "all",
  };
}

const page = (...path: string[]): View => ({ kind: "page", page: "channels", path });

export const listView = (filter: ChannelFilter = "all"): View => page(filter);
export const newChannelView: View = page("new");
export const foldersView: View = page("folders");

/** The name is only for readability; the id identifies the channel. */
export function channelPageView(stream_id: number, name: string, section: ChannelSection): View {
  return page(`${stream_id}`, slugOf(name), section);
}

/** Encoded like the server's fragments: percent-encoding with dots in place of percent signs. */
function slugOf(name: string): string {
  const plain = name.replaceAll(/\s+/gu, "-");
  const encoded = encodeURIComponent(plain).replaceAll(
    /[.!*'()]/g,
    (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return encoded.replaceAll("%", ".");
}
