// Quotes a message for a reply or for forwarding.
import { fetchMessageNow } from "./fetch-sync.ts";
import { addressOf } from "../../store/address.ts";
import { sync } from "../../sync/session.ts";
import { t } from "../../words/words.ts";
import { contentContext } from "../conversation/reading-selectors.ts";
import { messageView } from "../conversation/selectors.ts";
import { quoteOf } from "./quote-rules.ts";
import type { Message } from "../../contract/message.ts";

export async function quoteMarkdown(message: Message): Promise<string> {
  const { raw_content } = await fetchMessageNow(sync, { message_id: message.id });
  return quotationOf(message, raw_content);
}

export function quotationOf(message: Message, content: string): string {
  const { sender_id: user_id } = message;
  const { full_name } = contentContext.senderOf(message);
  const address = `${location.origin}/${addressOf(messageView(message))}`;
  return quoteOf({ user_id, full_name, address, content }, t("said"));
}
