// Converts Rocket.Chat's Markdown to ours, with marks for names.
import { withoutAngles } from "../../../text/html/bare-address.ts";
import { withEntities } from "../../../text/html/escape-markdown.ts";
import { outsideCode } from "../outside-code.ts";
import { longestName } from "../source/longest-name.ts";
import { convertQuotes } from "../source/quoted-lines.ts";
import { linkOf } from "../source/mrkdwn.ts";

export interface RocketNames {
  user(username: string): string | undefined;
  /** Text with the mark of the channel. */
  channel(name: string): string | undefined;
  /** Replaces the names of emoji in a text by those that they have here. */
  emoji(text: string): string;
}

const EVERYONE = new Set(["all", "here"]);
const MENTION = /(^|[^\w@/.])@([\w][\w.-]{0,99})/g;
const CHANNEL = /(^|[^\w#&/.])#([\w][\w.-]{0,99})/g;
const LINK = /<((?:https?|mailto):[^|<>\s]{1,2000})\|([^<>\n]{1,500})>/g;
const styleOf = (mark: string) =>
  new RegExp(
    String.raw`(^|[^\w\\${mark}])[${mark}]([^\s${mark}](?:[^\n${mark}]*[^\s${mark}])?)` +
      `[${mark}](?![\\w${mark}])`,
    "g",
  );
const [BOLD, ITALIC, STRIKE] = [styleOf("*"), styleOf("_"), styleOf("~")];

export function markdownOf(given: string, names: RocketNames): string {
  const clean = given.replaceAll(/[\u0001\u0002\u0005]/g, "");
  return convertQuotes(clean, { line: /^> ?/ }, (text) =>
    outsideCode(text, (part) => converted(part, names)),
  );
}

/** Splits off URLs, so that no formatting inside of them is converted. */
function converted(text: string, names: RocketNames): string {
  const linked = text.replaceAll(LINK, (_all, url: string, label: string) => linkOf(url, label));
  const parts = linked
    .split(/(https?:\/\/[^\s<>]+)/)
    .map((part, index) => (index % 2 === 1 ? part : styled(part, names)));
  return withoutAngles(parts.join(""));
}

function styled(text: string, { user, channel, emoji }: RocketNames): string {
  const marked = (name: string) => {
    if (EVERYONE.has(name)) return "@**all**";
    const key = user(name);
    return key === undefined ? undefined : `\u0001${key}\u0001`;
  };
  return emoji(text.replaceAll(/\\[*_~]/g, (escape) => withEntities(escape)))
    .replaceAll(BOLD, "$1**$2**")
    .replaceAll(ITALIC, "$1*$2*")
    .replaceAll(STRIKE, "$1~~$2~~")
    .replaceAll(MENTION, (match, before: string, mentionedName: string) => {
      const longest = longestName(mentionedName, marked);
      return longest ? before + longest.key + longest.rest : match;
    })
    .replaceAll(CHANNEL, (match, before: string, mentionedName: string) => {
      const longest = longestName(mentionedName, channel);
      return longest ? before + longest.key + longest.rest : match;
    });
}
