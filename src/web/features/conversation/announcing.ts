// Announces messages that arrive in the open conversation to screen readers.
import type { Signal } from "@preact/signals";
import { say } from "../../words/words.ts";
import { toldLine } from "../messages/preview.ts";
import type { Message } from "../messages/state.ts";
import { Announcer } from "./announce.ts";
import { drawing } from "./drawing.ts";

export function announcing(spoken: Signal<string>) {
  // The same words again are read out only if something is another.
  const tell = (words: string) =>
    (spoken.value = words === spoken.peek() ? `${words}\u00a0` : words);
  const one = ({ name, text }: { name: string; text: string }) => say("arrived", { name, text });
  const many = (count: number) => say("arrived-many", { count });
  const announcer = new Announcer(tell, { one, many }, (ms, run) => void setTimeout(run, ms));
  return (messages: readonly Message[]) => {
    if (document.hidden) return;
    announcer.arrived(
      messages.map((message) => ({
        name: drawing.senderOf(message).full_name,
        text: toldLine(message.content),
      })),
    );
  };
}
