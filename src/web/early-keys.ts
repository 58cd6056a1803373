// Keys that are pressed before all commands are there wait for them, in their order.
import { isWritingIn } from "./commands.ts";

const waiting: KeyboardEvent[] = [];

/** After the commands that are there had their turn. */
export function keepEarlyKeys(): void {
  addEventListener("keydown", keep);
}

export function runEarlyKeys(): void {
  removeEventListener("keydown", keep);
  for (const event of waiting.splice(0)) {
    const target =
      event.target instanceof Node && event.target.isConnected ? event.target : document;
    target.dispatchEvent(new KeyboardEvent("keydown", event));
  }
}

function keep(event: KeyboardEvent): void {
  const isSign = event.key.length === 1 || event.key === "F6";
  if (event.defaultPrevented || event.isComposing || !isSign || isWritingIn(event.target)) return;
  event.preventDefault();
  waiting.push(event);
}
