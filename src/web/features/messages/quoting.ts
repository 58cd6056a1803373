// A message that is answered or sent on, as a quotation.
import { fetchMessage } from "../../api/calls.ts";
import { addressOf } from "../../address.ts";
import { sync } from "../../here.ts";
import { say } from "../../words/words.ts";
import { drawing, messageView } from "../conversation/drawing.ts";
import { quoteOf } from "./quote.ts";
import type { Message } from "./state.ts";

export async function quotation(message: Message): Promise<string> {
  const { raw_content } = await fetchMessage(sync, { message_id: message.id });
  return quotationOf(message, raw_content);
}

export function quotationOf(message: Message, content: string): string {
  const { sender_id: user_id } = message;
  const { full_name } = drawing.senderOf(message);
  const address = `${location.origin}/${addressOf(messageView(message))}`;
  return quoteOf({ user_id, full_name, address, content }, say("said"));
}
