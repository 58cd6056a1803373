// Slash commands that this client executes instead of sending them.
import { runCommand } from "../../api/message-calls.ts";
import { sync } from "../../sync/session.ts";
import { showToast } from "../../ui/toast.tsx";
import { t } from "../../words/words.ts";
import { COMMANDS } from "../typeahead/slashes.ts";

/** Returns whether the text was such a command, which must not be sent. */
export function runSlash(text: string): boolean {
  const command = /^\/([\w-]+)\s*$/.exec(text)?.[1];
  if (command === undefined || !COMMANDS.includes(command)) return false;
  runCommand(sync, { command: `/${command}` }).catch(() =>
    showToast({ text: t("save-failed"), isAlert: true }),
  );
  return true;
}
