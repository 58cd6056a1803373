// Clicks in rows: elements name an action, which features register.
import { attempt } from "../failures/attempt.ts";
import type { Message } from "../features/messages/state.ts";
import { known } from "../live.ts";

export interface Acted {
  /** The element that was pressed. */
  node: HTMLElement;
  /** The argument of the action. */
  on: string;
  /** The message of its row. Undefined outside of rows. */
  message: Message | undefined;
}

const acts = new Map<string, (acted: Acted) => void>();

export function onAct(name: string, run: (acted: Acted) => void): void {
  acts.set(name, run);
}

/** For a press anywhere in the feed; `false` where nothing there acts. */
export function act(event: Event): boolean {
  const node = (event.target as Element).closest<HTMLElement>("[data-act]");
  const run = node && acts.get(node.dataset["act"]!);
  if (!run) return false;
  event.preventDefault();
  const acted = { node, on: node.dataset["on"] ?? "", message: messageAt(node) };
  attempt(
    () => run(acted),
    () => undefined,
  );
  return true;
}

/** Things that are no buttons by nature are pressed by Enter and Space all the same. */
export function actByKey(event: KeyboardEvent): boolean {
  const node = event.target as HTMLElement;
  const isPress = event.key === "Enter" || event.key === " ";
  if (!isPress || node.getAttribute("role") !== "button") return false;
  return act(event);
}

export function messageAt(node: Element): Message | undefined {
  const id = node.closest<HTMLElement>(".msg")?.dataset["id"];
  return id === undefined ? undefined : known()?.messages.byId.get(Number(id));
}
