// Marks mentions and channel links in Mattermost's Markdown, except in code.
import { withoutAngles } from "../../../text/html/bare-address.ts";
import { withEntities } from "../../../text/html/escape-markdown.ts";
import { longestName } from "../source/longest-name.ts";

const ADDRESS = /(https?:\/\/[^\s<>]+)/;
/** Underscores are no emphasis here. */
const BOLD = /(^|[^\w\\])__([^_\n]{1,500})__(?![\w_])/g;
const ITALIC = /(^|[^\w\\])_([^_\n]{1,500})_(?![\w_])/g;

interface MarkdownNames {
  /** The key of the user with this name, if there is one. */
  user(name: string): string | undefined;
  /** The key and name of a channel of the same team. */
  channel(name: string): string | undefined;
  /** Replaces the names of emoji in a text by those that they have here. */
  emoji(text: string): string;
}

const EVERYONE = new Set(["all", "channel", "here"]);
const FENCE = /^ {0,3}(`{3,}|~{3,})/;
const MENTION = /(^|[^a-z0-9@/.`])@([a-z0-9][a-z0-9._-]{0,63})/gi;
const CHANNEL = /(^|[^\w~/.`])~([a-z0-9][a-z0-9_-]{0,63})/gi;

/** User names are inserted later, when their accounts on this server are known. */
export function converted(text: string, names: MarkdownNames): string {
  const clean = text.replaceAll(/[\u0000-\u0002\u0005]/g, "");
  let fence: string | undefined;
  const lines = clean.split("\n").map((line) => {
    const [start = "", mark = ""] = FENCE.exec(line) ?? [];
    const behind = line.slice(start.length);
    if (fence !== undefined) {
      if (mark.startsWith(fence) && behind.trim() === "") fence = undefined;
      return line;
    }
    // Backticks behind the mark end it on the same line, as inline code.
    if (mark === "" || (mark.startsWith("`") && behind.includes("`"))) return lineOf(line, names);
    fence = mark;
    return line;
  });
  return lines.join("\n");
}

/** Every second part between backticks is code. */
function lineOf(line: string, names: MarkdownNames): string {
  const parts = line.split("`");
  return parts
    .map((part, index) =>
      index % 2 === 1 && index < parts.length - 1 ? part : textOf(part, names),
    )
    .join("`");
}

function emphasesIn(text: string): string {
  if (!text.includes("_")) return text;
  const parts = text.split(ADDRESS).map((part, index) => {
    return index % 2 === 1 ? part : part.replaceAll(BOLD, "$1**$2**").replaceAll(ITALIC, "$1*$2*");
  });
  return parts.join("");
}

function textOf(text: string, names: MarkdownNames): string {
  const marked = (name: string) => {
    if (EVERYONE.has(name.toLowerCase())) return "@**all**";
    const key = names.user(name.toLowerCase());
    return key === undefined ? undefined : `\u0001${key}\u0001`;
  };
  const linked = withoutAngles(emphasesIn(withEntities(text)));
  return names
    .emoji(linked)
    .replaceAll(MENTION, (match, before: string, userName: string) => {
      const longest = longestName(userName, marked);
      return longest ? before + longest.key + longest.rest : match;
    })
    .replaceAll(CHANNEL, (match, before: string, channelName: string) => {
      const longest = longestName(channelName.toLowerCase(), (name) => names.channel(name));
      return longest ? `${before}\u0002${longest.key}\u0002${longest.rest}` : match;
    });
}
