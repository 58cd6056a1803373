// Commands that are for this client and not for the conversation.
import { runCommand } from "../../api/deed-calls.ts";
import { sync } from "../../here.ts";
import { showToast } from "../../ui/toast.tsx";
import { say } from "../../words/words.ts";
import { COMMANDS } from "./slashes.ts";

/** Says whether the text was such a command; then it is not sent. */
export function runSlash(text: string): boolean {
  const command = /^\/([\w-]+)\s*$/.exec(text)?.[1];
  if (command === undefined || !COMMANDS.includes(command)) return false;
  runCommand(sync, { command: `/${command}` }).catch(() =>
    showToast({ words: say("not-saved"), isAlert: true }),
  );
  return true;
}
