// Renders unchanged content again, with link previews.
import type { Writer } from "../../../realm.ts";
import type { Message } from "../../../schema/records-messages.ts";
import type { Rendered } from "../../../text/markdown/render.ts";
import { reindexMessage } from "../../search/index.ts";
import { audienceOf } from "../sets/audience.ts";
import { plainParagraph } from "../wire.ts";
import { messageRerendered } from "./events.ts";

/** Does nothing if the content has changed. Emits no event if the HTML stays the same. */
export function rerender(tx: Writer, { id, content }: Message, { html }: Rendered): void {
  const before = tx.messages.get(id);
  const rendered_content = html === plainParagraph(content) ? null : html;
  if (before?.content !== content || before.rendered_content === rendered_content) return;

  const after = { ...before, rendered_content };
  const audience = audienceOf(tx, before);
  tx.messages.put(after);
  reindexMessage(tx, before, after);
  tx.emit(messageRerendered(tx, after), audience);
}
