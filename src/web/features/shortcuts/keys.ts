// Keys that a person has given to commands, and what another command already has.
import { type Command, keysOf } from "../../commands.ts";

type Remapped = Readonly<Record<string, readonly string[]>>;

/** `keys` undefined: as it was at first. */
export function keysChanged(
  before: Remapped,
  { id }: Pick<Command, "id">,
  keys: readonly string[] | undefined,
): Remapped {
  const { [id]: _one, ...others } = before;
  return keys === undefined ? others : { ...others, [id]: keys };
}

/** The command that this key would be taken from. */
export function takenBy(
  commands: readonly Command[],
  { id }: Pick<Command, "id">,
  key: string,
): Command | undefined {
  return commands.find((other) => other.id !== id && keysOf(other).includes(key));
}

export const isRemapped = (value: unknown): value is Remapped =>
  typeof value === "object" &&
  value !== null &&
  Object.values(value).every(
    (keys) => Array.isArray(keys) && keys.every((key) => typeof key === "string"),
  );

/** Keys of the text, which itself heeds them, for who looks them up. */
export const IN_TEXT: readonly Command[] = (
  [
    ["bold", "Mod+B"],
    ["italic", "Mod+I"],
    ["link", "Mod+Shift+L"],
    ["preview", "Alt+P"],
    ["snippets", "Mod+'"],
  ] as const
).map(([words, key]) => ({
  id: `text-${words}`,
  words,
  keys: [key],
  isBare: true,
  run: () => false,
}));
