// Takes a view elsewhere: into a tab of its own, or as a link to be handed on.
import { addressOf } from "../../address.ts";
import { copyText } from "../../ui/copy.ts";
import type { View } from "../../views.ts";
import { say } from "../../words/words.ts";

export function openAside(to: View): void {
  window.open(addressOf(to), "_blank", "noopener");
}

export function copyLink(fragment: string): void {
  copyText(`${location.origin}/${fragment}`, say("link-copied"));
}
