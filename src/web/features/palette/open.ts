// Opens the switcher, whose script is loaded on first use or when the page is idle.
import { takeCapturedText, captureTyping } from "../../ui/buffer-typing.ts";
import { showToast } from "../../ui/toast.tsx";
import { t } from "../../words/words.ts";

export async function loadPalette(): Promise<void> {
  await import("./view.tsx");
}

export async function openPalette(): Promise<void> {
  captureTyping(t("go-to"));
  try {
    const { showPalette } = await import("./view.tsx");
    showPalette(takeCapturedText());
  } catch {
    takeCapturedText();
    showToast({ text: t("load-failed"), isAlert: true });
  }
}
