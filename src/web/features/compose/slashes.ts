// The commands that a message may begin with, and what only looks like one.

/** Those of the server, also by their other names. */
export const COMMANDS = ["dark", "night", "light", "day", "fluid-width", "fixed-width"];

/** The widgets and deeds that a message begins with. */
const BEGINNINGS = ["me", "poll", "todo"];
const ALL = [...COMMANDS, ...BEGINNINGS];

/** What looks like a command at the beginning and is none; not while it may become one. */
export function strangeSlash(text: string): string | undefined {
  const [, name = "", end] = /^\/([a-z][\w-]*)(\s|$)/iu.exec(text) ?? [];
  if (name === "" || ALL.includes(name)) return undefined;
  return end === "" && ALL.some((one) => one.startsWith(name)) ? undefined : `/${name}`;
}
