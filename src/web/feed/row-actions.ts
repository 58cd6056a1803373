// Clicks in rows: elements name an action, which features register.
import { attempt } from "../content/catch-errors.ts";
import type { Message } from "../contract/message.ts";
import { closestTo, elementOf } from "../content/elements.ts";

interface ActionEvent {
  /** The element that was clicked. */
  node: HTMLElement;
  /** The argument of the action. */
  on: string;
  /** The message of its row. Undefined outside of rows. */
  message: Message | undefined;
}

type MessageOf = (id: number) => Message | undefined;

const handlers = new Map<string, (acted: ActionEvent) => void>();

export function onRowAction(name: string, run: (acted: ActionEvent) => void): void {
  handlers.set(name, run);
}

/** Handles a click anywhere in the feed; returns `false` if no action applies. */
export function runAction(event: Event, messageOf: MessageOf): boolean {
  const node = closestTo(event.target, "[data-act]");
  const run = node && handlers.get(node.dataset["act"]!);
  if (!node || !run) return false;
  event.preventDefault();
  const acted = { node, on: node.dataset["on"] ?? "", message: messageAt(node, messageOf) };
  attempt(
    () => run(acted),
    () => undefined,
  );
  return true;
}

/** Elements other than buttons can be activated with Enter and Space too. */
export function runActionByKey(event: KeyboardEvent, messageOf: MessageOf): boolean {
  const isPress = event.key === "Enter" || event.key === " ";
  if (!isPress || elementOf(event.target)?.getAttribute("role") !== "button") return false;
  return runAction(event, messageOf);
}

export function messageAt(node: Element, messageOf: MessageOf): Message | undefined {
  const id = node.closest<HTMLElement>(".msg")?.dataset["id"];
  return id === undefined ? undefined : messageOf(Number(id));
}
