// All commands: name, shortcuts and availability, for the switcher, menus and help.
import { signal } from "@preact/signals";
import { nameOfPress } from "./keys.ts";
import { closestTo } from "../../content/elements.ts";
import type { TextKey } from "../../words/words.ts";

export interface Command {
  id: string;
  textKey: TextKey;
  /** The group of the command, which lists name before it. */
  group?: TextKey;
  /** Names of key presses; the first one is displayed. */
  keys?: readonly string[];
  /** Whether the command is available now. If absent, always. */
  when?: () => boolean;
  /** false: the command does not apply, and the key keeps its usual effect. */
  run: () => boolean | void | Promise<void>;
  /** Also available while the user types; only for keys that enter no text. */
  whileWriting?: boolean;
  /** Repeats while the key is held, as for navigation; other commands run once. */
  repeats?: boolean;
  /** Hidden in lists of commands, such as moving within a list. */
  isUnlisted?: boolean;
}

/** Commands that are available only while there is a target. */
export function onTarget<T>(
  find: () => T | undefined,
  run: (target: T) => boolean | void | Promise<void>,
): Pick<Command, "when" | "run"> {
  return {
    when: () => find() !== undefined,
    run() {
      const target = find();
      return target === undefined ? false : run(target);
    },
  };
}

const commands = new Map<string, Command>();
let permitted: ReadonlySet<string> | undefined;
/** The user's own shortcuts on this device, by command. */
export const remapped = signal<Readonly<Record<string, readonly string[]>>>({});
/** Whether shortcuts without Ctrl or Alt are enabled. */
export const hasSingleKeys = signal(true);

/** Ids of pressed buttons whose commands are not loaded yet. */
const awaited = new Set<string>();

/** Later commands win over earlier ones with the same key. Returns a function that removes them. */
export function registerCommands(...newCommands: readonly Command[]): () => void {
  for (const command of newCommands) {
    commands.set(command.id, command);
    // Runs after the other commands of the module are defined.
    if (awaited.delete(command.id)) queueMicrotask(() => void command.run());
  }
  return () => {
    for (const command of newCommands) {
      if (commands.get(command.id) === command) commands.delete(command.id);
    }
  };
}

function allCommands(): Command[] {
  return [...commands.values()];
}

/** From now on, only these commands are available. */
export function restrictCommands(ids: readonly string[]): void {
  permitted = new Set(ids);
}

/** The commands that are available now. */
export function offeredCommands(): Command[] {
  return allCommands().filter(isOffered);
}

const isOffered = ({ id, when }: Command) => permitted?.has(id) !== false && (when?.() ?? true);

export function commandOf(id: string): Command | undefined {
  return commands.get(id);
}

/** Called by a button for the command, which may be rendered before the command is loaded. */
export function runCommand(id: string): void {
  const command = commands.get(id);
  if (command) void command.run();
  else awaited.add(id);
}

export function keysOf(command: Command | undefined): readonly string[] {
  const { id = "", keys = [] } = command ?? {};
  return remapped.value[id] ?? keys;
}

export const isMac = (): boolean => /Mac|iPhone|iPad/.test(navigator.platform);

/** The physical key that ran a command, while it is held down. */
let heldKeys = "";

/** Runs the command for the key press. */
export function onKeyDown(event: KeyboardEvent): void {
  if (event.defaultPrevented) return;
  const name = nameOfPress(event, isMac());
  // Keys in a dialog or menu do not reach the view behind it.
  const isWriting = isWritingIn(event.target) || closestTo(event.target, ".backdrop, .pop");
  const isSingle = !/^(Ctrl|Mod|Alt)\+/.test(name) && name.length === 1;
  // A held key that moved the focus into a text field does not type there.
  if (!event.repeat) heldKeys = "";
  else if (isSingle && isWriting && event.code === heldKeys) return event.preventDefault();
  if (isSingle && !hasSingleKeys.value) return;
  // Most keys match no command, so availability is checked last.
  const all = allCommands()
    .filter((command) => keysOf(command).includes(name) && (!isWriting || command.whileWriting))
    .filter(isOffered)
    .reverse();
  // A list's own shortcuts take precedence over global ones.
  for (const command of [...all.filter(isOfList), ...all]) {
    const isHeld = event.repeat && command.repeats !== true;
    if (!isHeld && command.run() === false) continue;
    heldKeys = event.code;
    event.preventDefault();
    return;
  }
}

const isOfList = ({ id }: Command) => id.startsWith("list-");

export function isWritingIn(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target.isContentEditable || target.dataset["rest"] !== undefined) return true;
  if (target instanceof HTMLInputElement)
    return !["checkbox", "radio", "button"].includes(target.type);
  return target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement;
}
