// Slash commands, and text that only looks like one.

/** Commands for widgets and actions that become part of the message. */
const BEGINNINGS = ["me", "poll", "todo"];
/** Commands of the server, by the names that are suggested. */
const OF_SERVER = ["dark", "light", "fluid-width", "fixed-width"];
export const SLASHES = [...BEGINNINGS, ...OF_SERVER];
/** Includes aliases. */
export const COMMANDS = [...OF_SERVER, "night", "day"];
const ALL = [...BEGINNINGS, ...COMMANDS];

/** A slash followed by an unknown command. undefined while it may still become one. */
export function unknownSlashCommand(text: string): string | undefined {
  const [, name = "", end] = /^\/([a-z][\w-]*)(\s|$)/iu.exec(text) ?? [];
  if (name === "" || ALL.includes(name)) return undefined;
  return end === "" && ALL.some((command) => command.startsWith(name)) ? undefined : `/${name}`;
}
