// Opens the list of shortcuts, and stores the user's changes on this device.
import { effect } from "@preact/signals";
import { go } from "../../store/address.ts";
import { registerDialogPage } from "../../store/dialog-page.ts";
import {
  type Command,
  hasSingleKeys,
  registerCommands,
  offeredCommands,
  remapped,
} from "../../ui/keys/commands.ts";
import { isBoolean, deviceSetting } from "../../device-storage.ts";
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

registerDialogPage({
  page: SHORTCUTS,
  id: SHORTCUTS,
  title: () => t("shortcuts"),
  load: () => import("./view.tsx"),
  open: (_, leave) => {
    const commands = offeredBefore ?? offeredCommands();
    offeredBefore = undefined;
    return ({ showShortcuts }) => showShortcuts(commands, leave);
  },
});

registerCommands({
  id: "shortcuts",
  textKey: "shortcuts",
  keys: ["?"],
  run: () => {
    offeredBefore = offeredCommands();
    go({ kind: "page", page: SHORTCUTS, path: [] });
  },
});
