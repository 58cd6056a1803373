// Queues keys that are pressed before all commands are loaded, and runs them in order.
import { isWritingIn } from "./commands.ts";

const events: KeyboardEvent[] = [];

/** After the available commands had a chance to handle them. */
export function captureEarlyKeys(): void {
  addEventListener("keydown", storeEarlyKey);
}

export function runEarlyKeys(): void {
  removeEventListener("keydown", storeEarlyKey);
  for (const event of events.splice(0)) {
    const target =
      event.target instanceof Node && event.target.isConnected ? event.target : document;
    target.dispatchEvent(new KeyboardEvent("keydown", event));
  }
}

/** Names of keys that type no character. */
const REPEATABLE_KEY = /^(F6|Arrow|Page|Home|End)/;

function storeEarlyKey(event: KeyboardEvent): void {
  const { key, target } = event;
  // Elements with their own Enter action handle it.
  const isPressed = target instanceof Element && target.closest("a, button, summary, [data-act]");
  const isStored = REPEATABLE_KEY.test(key) || key.length === 1 || (key === "Enter" && !isPressed);
  if (event.defaultPrevented || !isStored || isWritingIn(target)) return;
  event.preventDefault();
  events.push(event);
}
