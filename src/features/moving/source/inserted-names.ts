// Puts inserted names where the renderer recognizes them: not after a letter or an emphasis mark.

/** Returns the mentions of users and the links to channels on this server. */
export interface MentionNames {
  /** `label`: the name in the mention itself. `isInTable`: without a pipe, if possible. */
  user(id: string, label?: string, isInTable?: boolean): string;
  channel(id: string, name?: string): string;
}

/** Encloses an inserted name until the text around it is known. */
const MARK = "\u0004";

/** Like `names`, with a mark around each name for `withSeparateNames`. */
export const markedNames = ({ user, channel }: MentionNames): MentionNames => ({
  user: (id, label, isInTable) => MARK + user(id, label, isInTable) + MARK,
  channel: (id, name) => MARK + channel(id, name) + MARK,
});

/** Removes the marks around names in code, where names are not separated. */
export const withoutMarks = (text: string) => text.replaceAll(MARK, "");

const NAME = /([*_~]{0,6})(?:\u0004([^\u0004]*)\u0004|(@\*\*all\*\*))([*_~]{0,6})(\s*)/g;
/** Characters that the renderer accepts before a mention. */
const BEFORE = /^[\s'"({[/<]?$/;

/** Lets an emphasis start after the name, and inserts a space between the name and other text. */
export function withSeparateNames(text: string): string {
  if (!text.includes(MARK) && !text.includes("@**all**")) return text;
  const separated = text.replaceAll(
    NAME,
    (
      _all,
      open: string,
      marked: string | undefined,
      all = "",
      close: string,
      space: string,
      at: number,
    ) => {
      const name = marked ?? all;
      const isFree = BEFORE.test(text.slice(Math.max(0, at - 1), at));
      if (open === "") return `${isFree ? "" : " "}${name}${close}${space}`;
      if (!isFree) return `${open} ${name}${close}${space}`;
      const isWhole = open === [...close].toReversed().join("");
      return isWhole ? name + space : name + space + open + close;
    },
  );
  return withoutMarks(separated);
}
