// Marks mentions and channel links in Mattermost's Markdown, except in code.

interface MarkdownNames {
  /** The key of the user with this name, if there is one. */
  user(name: string): string | undefined;
  /** The key and name of a channel of the same team. */
  channel(name: string): string | undefined;
}

const EVERYONE = new Set(["all", "channel", "here"]);
const FENCE = /^ {0,3}(?:```|~~~)/;
const MENTION = /(^|[^\w@/.`])@([a-z0-9][a-z0-9._-]{0,63})/gi;
const CHANNEL = /(^|[^\w~/.`])~([a-z0-9][a-z0-9_-]{0,63})/gi;

/** User names are inserted later, when their accounts on this server are known. */
export function converted(text: string, names: MarkdownNames): string {
  const clean = text.replaceAll(/[\u0000\u0001\u0002]/g, "");
  let isCode = false;
  const lines = clean.split("\n").map((line) => {
    const isFence = FENCE.test(line);
    if (isFence) isCode = !isCode;
    return isFence || isCode ? line : lineOf(line, names);
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

function textOf(text: string, names: MarkdownNames): string {
  return text
    .replaceAll(MENTION, (match, before: string, userName: string) => {
      // The name may be followed by the end of a sentence.
      const name = userName.replace(/[.-]$/, "");
      const rest = userName.slice(name.length);
      if (EVERYONE.has(name.toLowerCase())) return `${before}@**all**${rest}`;
      const key = names.user(name.toLowerCase());
      return key === undefined ? match : `${before}\u0001${key}\u0001${rest}`;
    })
    .replaceAll(CHANNEL, (match, before: string, name: string) => {
      const key = names.channel(name.toLowerCase());
      return key === undefined ? match : `${before}\u0002${key}\u0002`;
    });
}
