// Converts Rocket.Chat's Markdown to ours, with marks for names.
import { outsideCode } from "../outside-code.ts";
import { linkOf } from "../source/mrkdwn.ts";

export interface RocketNames {
  user(username: string): string | undefined;
  channel(name: string): string | undefined;
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

export function markdownOf(text: string, names: RocketNames): string {
  const clean = text.replaceAll(/[\u0001\u0002]/g, "");
  return outsideCode(clean, (part) => converted(part, names));
}

/** Splits off URLs, so that no formatting inside of them is converted. */
function converted(text: string, names: RocketNames): string {
  const linked = text.replaceAll(LINK, (_all, url: string, label: string) => linkOf(url, label));
  return linked
    .split(/(https?:\/\/[^\s<>]+)/)
    .map((part, index) => (index % 2 === 1 ? part : styled(part, names)))
    .join("");
}

function styled(text: string, { user, channel }: RocketNames): string {
  return text
    .replaceAll(BOLD, "$1**$2**")
    .replaceAll(ITALIC, "$1*$2*")
    .replaceAll(STRIKE, "$1~~$2~~")
    .replaceAll(MENTION, (match, before: string, mentionedName: string) => {
      // A full stop may end the sentence.
      const name = mentionedName.replace(/[.-]$/, "");
      const rest = mentionedName.slice(name.length);
      if (EVERYONE.has(name)) return `${before}@**all**${rest}`;
      const key = user(name);
      return key === undefined ? match : `${before}\u0001${key}\u0001${rest}`;
    })
    .replaceAll(CHANNEL, (match, before: string, mentionedName: string) => {
      const name = mentionedName.replace(/[.-]$/, "");
      const key = channel(name);
      return key === undefined
        ? match
        : `${before}\u0002${key}\u0002${mentionedName.slice(name.length)}`;
    });
}
