// Announces messages that arrive in the open conversation to screen readers.
import type { Signal } from "@preact/signals";
import { t } from "../../../words/words.ts";
import { previewLine } from "../../messages/preview-selectors.ts";
import type { Message } from "../../../contract/message.ts";
import { Announcer } from "./announcer.ts";
import { rowContext } from "../row-context.ts";

export function announcerOf(announcement: Signal<string>) {
  // Screen readers repeat the same text only if something else changes.
  const announce = (text: string) =>
    (announcement.value = text === announcement.peek() ? `${text}\u00a0` : text);
  const describeOne = ({ name, text }: { name: string; text: string }) =>
    t("arrived", { name, text });
  const many = (count: number) => t("arrived-many", { count });
  const announcer = new Announcer(
    announce,
    { one: describeOne, many },
    (ms, run) => void setTimeout(run, ms),
  );
  return (messages: readonly Message[]) => {
    if (document.hidden) return;
    announcer.announce(
      messages.map((message) => ({
        name: rowContext.senderOf(message).full_name,
        text: previewLine(message.content),
      })),
    );
  };
}
