// The commands that a message may begin with, and what only looks like one.

/** The widgets and deeds that a message begins with. */
const BEGINNINGS = ["me", "poll", "todo"];
/** Commands of the server, by the names that are suggested. */
const OF_SERVER = ["dark", "light", "fluid-width", "fixed-width"];
export const SLASHES = [...BEGINNINGS, ...OF_SERVER];
/** Also by their other names. */
export const COMMANDS = [...OF_SERVER, "night", "day"];
const ALL = [...BEGINNINGS, ...COMMANDS];

/** A slash at the beginning that is no command. Undefined while it may become one. */
export function strangeSlash(text: string): string | undefined {
  const [, name = "", end] = /^\/([a-z][\w-]*)(\s|$)/iu.exec(text) ?? [];
  if (name === "" || ALL.includes(name)) return undefined;
  return end === "" && ALL.some((one) => one.startsWith(name)) ? undefined : `/${name}`;
}
