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
import { isBoolean, deviceSetting } from "../../device-storage.ts";
import { closeLayer } from "../../ui/layers.ts";
import { lazyDialog } from "../../ui/loading/lazy-layer.tsx";
import type { View } from "../../views.ts";
import { t } from "../../words/words.ts";
import { isRemapped } from "./keys.ts";

const storedKeys = deviceSetting("keys", {}, isRemapped);
const storedSingle = deviceSetting("single-keys", true, isBoolean);
remapped.value = storedKeys.value;
hasSingleKeys.value = storedSingle.value;
effect(() => {
  storedKeys.value = remapped.value;
  storedSingle.value = hasSingleKeys.value;
});

/** The commands that were available before the dialog opened. */
let offeredBefore: readonly Command[] | undefined;

const SHORTCUTS = "keyboard-shortcuts";
const dialog = lazyDialog(() => import("./view.tsx"));

/** The dialog has its own URL above the previous view. */
function openShortcuts(): void {
  const commands = offeredBefore ?? offeredCommands();
  offeredBefore = undefined;
  const leave = () => isShown(view.peek()) && goBelow();
  const title = () => t("shortcuts");
  void dialog(SHORTCUTS, title, ({ showShortcuts }) => showShortcuts(commands, leave), leave);
}

const isShown = (currentView: View) =>
  currentView.kind === "page" && currentView.page === SHORTCUTS;

effect(() => {
  const is = isShown(view.value);
  // Changes of the state that commands read must not open it again.
  untracked(() => (is ? openShortcuts() : closeLayer(SHORTCUTS)));
});

registerCommands({
  id: "shortcuts",
  words: "shortcuts",
  keys: ["?"],
  run: () => {
    offeredBefore = offeredCommands();
    go({ kind: "page", page: SHORTCUTS, path: [] });
  },
});
