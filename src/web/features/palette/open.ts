// Opens the switcher, whose script is fetched when it is first wanted, or before at leisure.
import { caughtTyping, catchTyping } from "../../ui/ahead.ts";
import { showToast } from "../../ui/toast.tsx";
import { say } from "../../words/words.ts";

export async function loadPalette(): Promise<void> {
  await import("./view.tsx");
}

export async function openPalette(start = ""): Promise<void> {
  catchTyping(say("go-to"));
  try {
    const { showPalette } = await import("./view.tsx");
    showPalette(start + caughtTyping());
  } catch {
    caughtTyping();
    showToast({ words: say("load-failed"), isAlert: true });
  }
}
