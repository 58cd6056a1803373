// Every command: its words, its keys, and when it can be had, for palette, menus and help.
import { signal } from "@preact/signals";
import { nameOfPress } from "./keys.ts";
import type { Word } from "./words/words.ts";

export interface Command {
  id: string;
  words: Word;
  /** The group of the command, which lists name before it. */
  within?: Word;
  /** Names of key presses; the first is the one that is shown. */
  keys?: readonly string[];
  /** Whether the command is available now. If absent, always. */
  when?: () => boolean;
  /** false: the key press was not for this, and means what it would mean without. */
  run: () => boolean | void | Promise<void>;
  /** Also while one writes: only what no text is made of. */
  whileWriting?: boolean;
  /** A key that is held does it again and again, as moving on; others it does once. */
  repeats?: boolean;
  /** Not in lists of commands, such as moving in a list. */
  isBare?: boolean;
}

const commands = new Map<string, Command>();
let permitted: ReadonlySet<string> | undefined;
/** Keys that the person has given on this device, by command. */
export const remapped = signal<Readonly<Record<string, readonly string[]>>>({});
/** Whether keys without Ctrl or Alt do anything. */
export const hasSingleKeys = signal(true);

/** Ids of pressed buttons whose commands are not loaded yet. */
const awaited = new Set<string>();

/** Later ones win over earlier ones with the same key; gives what takes them out again. */
export function offer(...offered: readonly Command[]): () => void {
  for (const command of offered) {
    commands.set(command.id, command);
    // Runs after the other commands of the module are defined.
    if (awaited.delete(command.id)) queueMicrotask(() => void command.run());
  }
  return () => {
    for (const command of offered) {
      if (commands.get(command.id) === command) commands.delete(command.id);
    }
  };
}

export function allCommands(): Command[] {
  return [...commands.values()];
}

/** From now on nothing but these can be had. */
export function permitOnly(ids: readonly string[]): void {
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

/** From a button that stands for it, which may be there first. */
export function runCommand(id: string): void {
  const command = commands.get(id);
  if (command) void command.run();
  else awaited.add(id);
}

export function keysOf({ id, keys = [] }: Command): readonly string[] {
  return remapped.value[id] ?? keys;
}

export const isMac = (): boolean => /Mac|iPhone|iPad/.test(navigator.platform);

/** The physical key that ran a command, while it is held down. */
let held = "";

/** Runs what the key press means here. */
export function onKeyDown(event: KeyboardEvent): void {
  if (event.defaultPrevented) return;
  const name = nameOfPress(event, isMac());
  // Keys in a dialog or menu do not reach the view behind it.
  const isWriting = isWritingIn(event.target) || (event.target as Element).closest?.(".veil, .pop");
  const isSingle = !/^(Ctrl|Mod|Alt)\+/.test(name) && name.length === 1;
  // A held key that moved the focus into a text field does not type there.
  if (!event.repeat) held = "";
  else if (isSingle && isWriting && event.code === held) return event.preventDefault();
  if (isSingle && !hasSingleKeys.value) return;
  // Most keys mean nothing to any of them, so whether they can be had is asked last.
  const all = allCommands()
    .filter((command) => keysOf(command).includes(name) && (!isWriting || command.whileWriting))
    .filter(isOffered)
    .reverse();
  // A list's own keys come before those that are meant everywhere.
  for (const command of [...all.filter(isOfList), ...all]) {
    const isHeld = event.repeat && command.repeats !== true;
    if (!isHeld && command.run() === false) continue;
    held = event.code;
    event.preventDefault();
    return;
  }
}

const isOfList = ({ id }: Command) => id.startsWith("list-");

export function isWritingIn(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target.isContentEditable) return true;
  if (target instanceof HTMLInputElement)
    return !["checkbox", "radio", "button"].includes(target.type);
  return target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement;
}
