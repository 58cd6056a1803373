// Takes a view elsewhere: into a tab of its own, or as a link to be handed on.
import { addressOf } from "../../address.ts";
import { showToast } from "../../ui/toast.tsx";
import type { View } from "../../views.ts";
import { say } from "../../words/words.ts";

export function openAside(to: View): void {
  window.open(addressOf(to), "_blank", "noopener");
}

/** On plain HTTP there is no clipboard to write to. */
export async function copyLink(fragment: string): Promise<void> {
  const link = new URL(fragment, location.origin).href;
  try {
    await navigator.clipboard.writeText(link);
    showToast({ words: say("link-copied") });
  } catch {
    showToast({ words: link, ms: 30_000 });
  }
}
