// A message quoted: who said it, where it stands, and its words between fences that hold them.
import { fenceFor } from "../editor/edits.ts";

export interface Quoted {
  readonly sender_id: number;
  readonly sender_name: string;
  /** The message's own address. */
  readonly address: string;
  readonly markdown: string;
}

export function quoteOf({ sender_id, sender_name, address, markdown }: Quoted, said: string) {
  const fence = fenceFor(markdown);
  const who = `@_**${sender_name}|${sender_id}**`;
  return `${who} [${said}](${address}):\n${fence}quote\n${markdown.trim()}\n${fence}\n`;
}
