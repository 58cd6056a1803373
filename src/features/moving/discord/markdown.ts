// Converts Discord's Markdown, raw or with flattened mentions, to ours with marks for names.
import { withoutAngles } from "../../../text/html/bare-address.ts";
import { withEntities } from "../../../text/html/escape-markdown.ts";
import { outsideCode } from "../outside-code.ts";
import { convertQuotes } from "../source/quoted-lines.ts";
import { timeOf } from "../source/mrkdwn.ts";
import { keyOfUser } from "../source/records-rules.ts";

export interface DiscordNames {
  /** Keys of users by the names that a message mentions. */
  readonly mentioned: ReadonlyMap<string, string>;
  isUser(id: string): boolean;
  /** The key of the channel; undefined: it is not in the export. */
  channel(id: string): string | undefined;
  role(id: string): string | undefined;
  /** The name here of a custom emoji. */
  emoji(id: string, name: string): string;
  /** Custom emoji in the message: their names in Discord and here. */
  readonly shortNames: ReadonlyMap<string, string>;
}

const markOfUser = (key: string) => `\u0001${key}\u0001`;

/** Replaces the marks of users and channels by names. */
export const withPlainNames = (text: string, nameOf: (key: string) => string | undefined) =>
  text
    .replaceAll(/\u0001([^\u0001]*)\u0001/g, (_mark, key: string) => `@${nameOf(key) ?? key}`)
    .replaceAll(/\u0002([^\u0002]*)\u0002/g, (_mark, key: string) => `#${nameOf(key) ?? key}`);

const TAG = /<(@[!&]?|#|a?:\w{1,40}:)(\w{1,25})>|<t:(-?[0-9]{1,12})(?::[a-zA-Z])?>/g;
const SPOILER = /\|\|([^|]{1,2000})\|\|/g;
const ADDRESS = /https?:\/\/[^\s<>]+/g;
/** Italic text; in bold text, the marks follow two asterisks. */
const ITALIC = /(^|\*\*|[^\w_*\\])_([^_\n]{1,500})_(?![\w_])/g;
const UNDERLINE = /(^|[^\w_\\])__([^_\n]{1,500})__(?![\w_])/g;
const EVERYONE = /(^|[^\w@])@(?:everyone|here)\b/g;
const QUOTES = { line: /^> /, rest: /^>>> / };

export function markdownOf(given: string, names: DiscordNames): string {
  const clean = given.replaceAll(/[\u0001\u0002\u0005]/g, "");
  return convertQuotes(clean, QUOTES, (text) =>
    outsideCode(text, (part) => converted(part, names)),
  );
}

function converted(text: string, names: DiscordNames): string {
  const tagged = withEntities(text).replaceAll(
    TAG,
    (match, prefix: string | undefined, id: string, seconds: string | undefined) =>
      seconds === undefined ? tagOf(match, prefix ?? "", id, names) : timeOf(Number(seconds)),
  );
  const mentioned = mentionsIn(shortNamesIn(tagged, names), names);
  const styled = outsideAddresses(mentioned, italicsIn).replaceAll(EVERYONE, "$1@**all**");
  return withoutAngles(styled)
    .replaceAll(/^-# /gm, "")
    .replaceAll(
      SPOILER,
      (_all, spoilerText: string) => `\n\`\`\`spoiler\n${spoilerText}\n\`\`\`\n`,
    );
}

function outsideAddresses(text: string, convert: (part: string) => string): string {
  let converted = "";
  let from = 0;
  for (const { 0: address, index } of text.matchAll(ADDRESS)) {
    converted += convert(text.slice(from, index)) + address;
    from = index + address.length;
  }
  return converted + convert(text.slice(from));
}

/** Underlined text becomes italic, unless the marks of another style are beside it. */
function italicsIn(text: string): string {
  if (!text.includes("_")) return text;
  return text
    .replaceAll(UNDERLINE, (all, before: string, inner: string, index: number) => {
      const isStyled = before === "*" || text[index + all.length] === "*";
      return isStyled ? before + inner : `${before}*${inner}*`;
    })
    .replaceAll(ITALIC, "$1*$2*");
}

function tagOf(match: string, prefix: string, id: string, names: DiscordNames): string {
  if (prefix === "@&") return `@${names.role(id) ?? "role"}`;
  if (prefix.startsWith("@")) return names.isUser(id) ? markOfUser(keyOfUser(id)) : `@${id}`;
  if (prefix === "#") {
    const key = names.channel(id);
    return key === undefined ? `#${id}` : `\u0002${key}\u0002`;
  }
  const [, name = ""] = /:(\w+):/.exec(match) ?? [];
  return `:${names.emoji(id, name)}:`;
}

/** The closing colon of a name may also be the opening colon of the next one. */
const shortNamesIn = (text: string, { shortNames }: DiscordNames) =>
  text.replaceAll(/:(\w{1,40})(?=:)/g, (match, name: string) => {
    const user = shortNames.get(name);
    return user === undefined ? match : `:${user}`;
  });

/** Longer names are not found, which limits the number of steps for each `@`. */
export const MENTION_LENGTH_MAX = 100;

/** The exporter writes `@name` for a mention, unless it was started without formatting. */
function mentionsIn(text: string, { mentioned }: DiscordNames): string {
  if (mentioned.size === 0 || !text.includes("@")) return text;
  const lengths = [...new Set([...mentioned.keys()].map((name) => name.length))]
    .filter((length) => length > 0 && length <= MENTION_LENGTH_MAX)
    .sort((a, b) => b - a);
  let output = "";
  let from = 0;
  for (
    let index = text.indexOf("@");
    index >= 0;
    index = text.indexOf("@", Math.max(index + 1, from))
  ) {
    const name = nameAt(text, index + 1, lengths, mentioned);
    if (name === undefined) continue;
    output += text.slice(from, index) + markOfUser(mentioned.get(name)!);
    from = index + 1 + name.length;
  }
  return output + text.slice(from);
}

/** Returns the longest name at this position. */
function nameAt(
  text: string,
  index: number,
  lengths: readonly number[],
  mentioned: DiscordNames["mentioned"],
): string | undefined {
  for (const length of lengths) {
    const name = text.slice(index, index + length);
    if (!mentioned.has(name)) continue;
    // `@name` followed by a letter is not a mention, because it is the beginning of a longer name.
    const isWhole = !/^[\p{L}\p{N}_]/u.test(text.slice(index + length, index + length + 2));
    if (isWhole) return name;
  }
  return undefined;
}
