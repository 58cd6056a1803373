// Opens views in new tabs and copies links.
import { addressOf } from "../../store/address.ts";
import { copyText } from "../../ui/copy.ts";
import type { View } from "../../views.ts";
import { t } from "../../words/words.ts";

export function openInNewTab(to: View): void {
  window.open(addressOf(to), "_blank", "noopener");
}

export function copyLink(fragment: string): void {
  copyText(`${location.origin}/${fragment}`, t("link-copied"));
}
