// Keys that a user has given to commands, conflicts between them, and the groups of the list.
import { type Command, keysOf } from "../../ui/keys/commands.ts";
import type { TextKey } from "../../words/words.ts";

type RemappedKeys = Readonly<Record<string, readonly string[]>>;

/** `keys` undefined restores the default. */
export function keysChanged(
  before: RemappedKeys,
  { id }: Pick<Command, "id">,
  keys: readonly string[] | undefined,
): RemappedKeys {
  const { [id]: _one, ...others } = before;
  return keys === undefined ? others : { ...others, [id]: keys };
}

/** The command that would lose this key. */
export function commandsUsingKey(
  commands: readonly Command[],
  { id }: Pick<Command, "id">,
  key: string,
): Command | undefined {
  return commands.find((other) => other.id !== id && keysOf(other).includes(key));
}

export const isRemapped = (value: unknown): value is RemappedKeys =>
  typeof value === "object" &&
  value !== null &&
  Object.values(value).every(
    (keys) => Array.isArray(keys) && keys.every((key) => typeof key === "string"),
  );

/** Shortcuts of the text field, which handles them itself; listed for reference. */
export const TEXT_COMMANDS: readonly Command[] = (
  [
    ["bold", "Mod+B"],
    ["italic", "Mod+I"],
    ["link", "Mod+Shift+L"],
    ["preview", "Alt+P"],
    ["snippets", "Mod+'"],
  ] as const
).map(([textKey, key]) => ({
  id: `text-${textKey}`,
  textKey,
  keys: [key],
  isUnlisted: true,
  run: () => false,
}));

const GROUPS = [
  "keys-navigation",
  "keys-reading",
  "keys-message",
  "keys-writing",
  "keys-topic",
  "keys-list",
  "keys-more",
] as const satisfies readonly TextKey[];
type ShortcutGroup = (typeof GROUPS)[number];

/** Assigns commands to groups by their id or its first word. All others are in the last group. */
const IDS: readonly (readonly [ShortcutGroup, string])[] = [
  ["keys-navigation", "go next previous palette search filter close topic-or-channel"],
  ["keys-navigation", "main-menu own-menu help-menu"],
  ["keys-reading", "message-up message-down page first-message last-message enter zoom"],
  ["keys-reading", "unread collapse open view"],
  ["keys-message", "reply quote forward react thumbs join star pin copy edit move message read"],
  ["keys-message", "author-card"],
  ["keys-writing", "new go-to-target leave-composer text record"],
  ["keys-topic", "mute follow resolve show-files"],
  ["keys-list", "list"],
];
const GROUP_OF = new Map(
  IDS.flatMap(([group, ids]) => ids.split(" ").map((id): [string, ShortcutGroup] => [id, group])),
);

const groupOf = ({ id }: Pick<Command, "id">): ShortcutGroup =>
  GROUP_OF.get(id) ?? GROUP_OF.get(id.split("-", 1).join()) ?? "keys-more";

/** The rows by group, without groups that have none. */
export function grouped<R extends { command: Pick<Command, "id"> }>(
  rows: readonly R[],
): { textKey: ShortcutGroup; rows: R[] }[] {
  const groups = Map.groupBy(rows, ({ command }) => groupOf(command));
  return GROUPS.map((textKey) => ({ textKey, rows: groups.get(textKey) ?? [] })).filter(
    ({ rows: groupRows }) => groupRows.length > 0,
  );
}
