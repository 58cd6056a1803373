// One-time secrets, and when something was created and last used.
import { Button } from "../../../ui/button.tsx";
import { copyText } from "../../../ui/copy.ts";
import { formatBrief } from "../../../words/dates.ts";
import { say } from "../../../words/words.ts";

/** A secret, to be copied before it is gone. */
export function ShownOnce({ text, words }: { text: string; words: string }) {
  return (
    <div class="settings-once" role="status">
      <p>{words}</p>
      <code>{text}</code>
      <Button icon="copy" onClick={() => copyText(text, say("copied"))}>
        {say("copy")}
      </Button>
    </div>
  );
}

export function usedWords({ created, last_used }: { created: number; last_used: number | null }) {
  const at = Date.now() / 1000;
  const made = formatBrief(created, at);
  if (last_used === null) return say("settings-made", { made });
  return say("settings-used", { made, used: formatBrief(last_used, at) });
}
