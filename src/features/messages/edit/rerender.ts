// The same content in a new rendering: what is linked there shows itself now.
import type { Writer } from "../../../realm.ts";
import type { Message } from "../../../schema/records-messages.ts";
import type { Rendered } from "../../../text/markdown/render.ts";
import { reindexMessage } from "../../search/index.ts";
import { hearersOf } from "../sets/audience.ts";
import { plainParagraph } from "../wire.ts";
import { messageRerendered } from "./events.ts";

/** Only a message that still says what was rendered; nothing is told if it looks the same. */
export function rerender(tx: Writer, { id, content }: Message, { html }: Rendered): void {
  const before = tx.messages.get(id);
  const rendered_content = html === plainParagraph(content) ? null : html;
  if (before?.content !== content || before.rendered_content === rendered_content) return;

  const after = { ...before, rendered_content };
  const audience = hearersOf(tx, before);
  tx.messages.put(after);
  reindexMessage(tx, before, after);
  tx.emit(messageRerendered(tx, after), audience);
}
