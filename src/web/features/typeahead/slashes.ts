// Slash commands, and text that only looks like one.

/** Commands for widgets and actions that become part of the message. */
const MESSAGE_COMMANDS = ["me", "poll", "todo"];
/** Commands of the server, by the names that are suggested. */
const SETTING_COMMANDS = ["dark", "light", "fluid-width", "fixed-width"];
export const SLASHES = [...MESSAGE_COMMANDS, ...SETTING_COMMANDS];
/** Includes aliases. */
export const COMMANDS = [...SETTING_COMMANDS, "night", "day"];
const ALL = [...MESSAGE_COMMANDS, ...COMMANDS];

/** A slash followed by an unknown command. undefined while it may still become one. */
export function unknownSlashCommand(text: string): string | undefined {
  const [, name = "", end] = /^\/([a-z][\w-]*)(\s|$)/iu.exec(text) ?? [];
  if (name === "" || ALL.includes(name)) return undefined;
  return end === "" && ALL.some((command) => command.startsWith(name)) ? undefined : `/${name}`;
}
