// Opens the list of shortcuts, and stores the user's changes on this device.
import { effect, untracked } from "@preact/signals";
import { go, goBelow, view } from "../../store/address.ts";
import {
  type Command,
  hasSingleKeys,
  registerCommands,
  offeredCommands,
  remapped,
} from "../../ui/keys/commands.ts";
import { isBoolean, ofDevice } from "../../device.ts";
import { closeLayer } from "../../ui/layers.ts";
import type { View } from "../../views.ts";
import { isRemapped } from "./keys.ts";

const keptKeys = ofDevice("keys", {}, isRemapped);
const keptSingle = ofDevice("single-keys", true, isBoolean);
remapped.value = keptKeys.value;
hasSingleKeys.value = keptSingle.value;
effect(() => {
  keptKeys.value = remapped.value;
  keptSingle.value = hasSingleKeys.value;
});

/** The commands that were available before the dialog opened. */
let offeredBefore: readonly Command[] | undefined;

/** The dialog has its own URL above the previous view. */
async function openShortcuts(): Promise<void> {
  const commands = offeredBefore ?? offeredCommands();
  offeredBefore = undefined;
  const { showShortcuts, SHORTCUTS } = await import("./view.tsx");
  if (!isShown(view.peek())) return;
  showShortcuts(commands, () => isShown(view.peek()) && goBelow());
  close = () => closeLayer(SHORTCUTS);
}

const isShown = (shown: View) => shown.kind === "page" && shown.page === "keyboard-shortcuts";
let close = () => {};

effect(() => {
  const is = isShown(view.value);
  // Changes of the state that commands read must not open it again.
  untracked(() => (is ? void openShortcuts() : close()));
});

registerCommands({
  id: "shortcuts",
  words: "shortcuts",
  keys: ["?"],
  run: () => {
    offeredBefore = offeredCommands();
    go({ kind: "page", page: "keyboard-shortcuts", path: [] });
  },
});
