// The toolbar of messages, which is in the row that has the pointer or the focus.
import { element, iconButton } from "../content/node.ts";
import { t } from "../words/words.ts";
import { closestTo } from "../content/elements.ts";
import type { Message, Reaction } from "../contract/message.ts";
import { type EmojiContext, emojiNode } from "./reactions.ts";

/** The tools of a message in order, after the quick reactions. Each is an action. */
const TOOLS = [
  ["smile", "react", "react-to"],
  ["quote", "quote", "quote-of"],
  ["pencil", "edit", "edit-of-message"],
  ["star", "star", "star-of"],
  ["dots", "message-menu", "more-of"],
] as const;

export interface ToolContext extends EmojiContext {
  me: number;
  messageOf(id: number): Message | undefined;
  senderOf(message: Message): { full_name: string };
  /** Whether reactions can be added. */
  isOpen(message: Message): boolean;
}

interface ToolActions {
  canEdit(message: Message): boolean;
  quickReactions(): readonly Omit<Reaction, "user_id">[];
}

export class Tools {
  private created: ReturnType<typeof createTools> | undefined;
  private quickButtons: HTMLButtonElement[] = [];

  constructor(
    column: HTMLElement,
    private readonly context: ToolContext,
    private readonly actions: ToolActions,
    signal: AbortSignal,
  ) {
    if (signal.aborted) return;
    column.addEventListener("focusin", ({ target }) => this.goTo(target), { signal });
    column.addEventListener("click", () => requestAnimationFrame(() => this.update()), { signal });
    column.addEventListener(
      "pointerover",
      ({ target }) => {
        // Hovering does not move the toolbar while it has the keyboard focus.
        if (!this.created?.bar.contains(document.activeElement)) this.goTo(target);
      },
      { signal, passive: true },
    );
    const rowWithState = (state: string) => column.querySelector(`.msg:${state}`);
    this.goTo(rowWithState("focus-within") ?? rowWithState("hover"));
  }

  private goTo(target: EventTarget | null): void {
    const row = closestTo(target, ".msg[data-id]");
    if (!row) return;
    if (this.created?.bar.parentElement === row) return this.update();
    const message = this.context.messageOf(Number(row.dataset["id"]));
    if (!message) return;
    const name = this.context.senderOf(message).full_name;
    const { bar, tools } = (this.created ??= createTools());
    bar.setAttribute("aria-label", t("tools-of", { name }));
    for (const { button, textKey } of tools) label(button, t(textKey, { name }));
    this.quickButtons = this.actions
      .quickReactions()
      .map((emoji) => quickButton(emoji, name, this.context));
    bar.replaceChildren(...this.quickButtons, ...tools.map(({ button }) => button));
    row.append(bar);
    this.update();
  }

  /** The time for editing may be over, and reactions may have changed. */
  private update(): void {
    const { bar, tools = [] } = this.created ?? {};
    const message = this.context.messageOf(Number(bar?.parentElement?.dataset["id"]));
    if (!message) return;
    // In an archived channel, reactions cannot be added.
    const isOpen = this.context.isOpen(message);
    for (const button of this.quickButtons) {
      const isMine = message.reactions.some(
        ({ user_id, emoji_code }) =>
          user_id === this.context.me && emoji_code === button.dataset["code"],
      );
      button.setAttribute("aria-pressed", `${isMine}`);
      button.hidden = !isOpen;
    }
    for (const { button, action } of tools) {
      if (action === "react") button.hidden = !isOpen;
      if (action === "edit") button.hidden = !this.actions.canEdit(message);
    }
  }
}

function label(button: HTMLElement, text: string): void {
  button.setAttribute("aria-label", text);
  button.title = text;
}

/** Created on first use, since icons are slow. */
function createTools() {
  const bar = element("div", "msg-tools");
  const tools = TOOLS.map(([iconName, action, textKey]) => {
    return { action, textKey, button: iconButton(iconName, action, action) };
  });
  bar.setAttribute("role", "toolbar");
  return { bar, tools };
}

function quickButton(
  emoji: Omit<Reaction, "user_id">,
  name: string,
  context: EmojiContext,
): HTMLButtonElement {
  const button = element("button", "icon-btn", emojiNode(emoji, context));
  button.type = "button";
  button.dataset["size"] = "s";
  button.dataset["act"] = "quick-reaction";
  button.dataset["on"] = JSON.stringify(emoji);
  button.dataset["code"] = emoji.emoji_code;
  label(button, t("react-with", { emoji: emoji.emoji_name.replaceAll("_", " "), name }));
  return button;
}
