// The one bar of tools, which is in the row that has the pointer or the focus.
import { element, iconButton } from "../content/node.ts";
import { untilThere } from "../scripts.ts";
import { learn, say } from "../words/words.ts";
import type { Message } from "../features/messages/state.ts";
import { isOpen } from "../features/topics/may.ts";

// Loaded together with its texts.
await untilThere(learn);

/** The tools of a message in order. Each is an action. */
const TOOLS = [
  ["smile", "react", "react-to"],
  ["quote", "quote", "quote-of"],
  ["star", "star", "star-of"],
  ["dots", "message-menu", "more-of"],
] as const;

export class Tools {
  private made: { bar: HTMLElement; buttons: readonly HTMLButtonElement[] } | undefined;

  constructor(
    column: HTMLElement,
    private readonly of: {
      messageOf(id: number): Message | undefined;
      senderOf(message: Message): { full_name: string };
    },
    signal: AbortSignal,
  ) {
    column.addEventListener("focusin", ({ target }) => this.goTo(target), { signal });
    column.addEventListener(
      "pointerover",
      ({ target }) => {
        // The pointer takes nothing from under the hands of who is at the keys.
        if (!this.made?.bar.contains(document.activeElement)) this.goTo(target);
      },
      { signal, passive: true },
    );
    // The row that already has the pointer or the focus.
    const at = (how: string) => column.querySelector(`.msg:${how}`);
    if (!signal.aborted) this.goTo(at("focus-within") ?? at("hover"));
  }

  private goTo(target: EventTarget | null): void {
    const row = (target as Element | null)?.closest<HTMLElement>(".msg[data-id]");
    if (!row || this.made?.bar.parentElement === row) return;
    const message = this.of.messageOf(Number(row.dataset["id"]));
    if (!message) return;
    const name = this.of.senderOf(message).full_name;
    const { bar, buttons } = (this.made ??= madeTools());
    bar.setAttribute("aria-label", say("tools-of", { name }));
    for (const [at, [, , words]] of TOOLS.entries()) {
      const button = buttons[at]!;
      const label = say(words, { name });
      button.setAttribute("aria-label", label);
      button.title = label;
    }
    // In an archived channel there is nothing to react to.
    buttons[0]!.hidden = !isOpen(message.stream_id);
    row.append(bar);
  }
}

/** Created on first use, since icons are slow. */
function madeTools() {
  const bar = element("div", "msg-tools");
  const buttons = TOOLS.map(([sign, act]) => iconButton(sign, act, act));
  bar.setAttribute("role", "toolbar");
  bar.append(...buttons);
  return { bar, buttons };
}
