// The addresses of channels' pages, also in the forms that mails and other clients write.
import { ownValue } from "../../../text/input/own-value.ts";
import type { View } from "../../views.ts";

export const FILTERS = ["all", "subscribed", "available", "archived"] as const;
export type Filter = (typeof FILTERS)[number];
export const SECTIONS = ["general", "permissions", "subscribers", "personal"] as const;
export type Section = (typeof SECTIONS)[number];

export type ChannelPage =
  | { kind: "list"; filter: Filter }
  | { kind: "new" }
  | { kind: "folders" }
  | { kind: "one"; stream_id: number; section: Section };

const ALIASES: Readonly<Record<string, Filter>> = {
  notsubscribed: "available",
  unsubscribed: "available",
  "not-subscribed": "available",
};

/** `5/design/general`, `5/design`, `subscribed`, `new`; anything else is the list of all. */
export function channelPageOf(path: readonly string[]): ChannelPage {
  const [first = "", ...rest] = path;
  if (first === "new" || first === "folders") return { kind: first };
  const stream_id = Number.parseInt(first, 10);
  if (stream_id > 0) {
    const section = SECTIONS.find((one) => one === rest.at(-1)) ?? "general";
    return { kind: "one", stream_id, section };
  }
  return {
    kind: "list",
    filter: FILTERS.find((one) => one === first) ?? ownValue(ALIASES, first) ?? "all",
  };
}

const page = (...path: string[]): View => ({ kind: "page", page: "channels", path });

export const listView = (filter: Filter = "all"): View => page(filter);
export const newChannelView: View = page("new");
export const foldersView: View = page("folders");

/** The name is an ornament: the id decides. */
export function channelPageView(stream_id: number, name: string, section: Section): View {
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
