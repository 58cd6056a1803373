// Votes, answers and finished tasks: what people add to the poll or the to-do list of a message.
import {
  submessageInvalid,
  submessageNotAllowed,
  submessagesTooMany,
} from "../../contract/errors/messages.ts";
import { nothing } from "../../contract/shapes/kinds.ts";
import { endpoint, int, textOf } from "../../endpoint.ts";
import type { Writer } from "../../realm.ts";
import type { Submessage } from "../../schema/records-messages.ts";
import type { User } from "../../schema/records.ts";
import { submessageFault, withOwnNumber } from "../../text/widget.ts";
import { accessToAct } from "../messages/access.ts";
import { WIDGET } from "../messages/rules.ts";
import { followAfterTakingPart } from "../messages/send/follow.ts";
import { hearersOf } from "../messages/sets/audience.ts";
import { SUBMESSAGE_LENGTH_MAX, SUBMESSAGE_TYPE_LENGTH_MAX, SUBMESSAGES_MAX } from "./rules.ts";
import { submessageAdded } from "./wire.ts";

export function addSubmessage(
  tx: Writer,
  user: User,
  message_id: number,
  msg_type: string,
  given: string,
): void {
  const message = accessToAct(tx, user, message_id);
  const submessages = message.submessages ?? [];
  const isAuthor = message.sender_id === user.user_id;
  const isOpen = submessages.some(({ sender_id }) => sender_id === message.sender_id);
  if (!isAuthor && !isOpen) throw submessageNotAllowed();
  // Clients take the first one of this type for the widget, which only a send makes.
  if (submessages.length === 0 && msg_type === WIDGET) throw submessageNotAllowed();
  const widget_type = widgetTypeOf(submessages[0]);
  const fault = submessageFault(widget_type, given, isAuthor);
  if (fault !== undefined) throw submessageInvalid(fault);
  if (submessages.length >= SUBMESSAGES_MAX) throw submessagesTooMany(SUBMESSAGES_MAX);
  const own = submessages.filter(({ sender_id }) => sender_id === user.user_id);
  const before = own.map((one) => one.content);
  const content = widget_type === "" ? given : withOwnNumber(given, before);
  if (content === undefined) throw submessageInvalid(NO_NUMBER_FREE);

  const id = tx.next("submessages");
  const submessage = { id, message_id, sender_id: user.user_id, msg_type, content };
  tx.messages.put({ ...message, submessages: [...submessages, submessage] });
  followAfterTakingPart(tx, user, message);
  tx.emit(submessageAdded(submessage), hearersOf(tx, message));
}

const NO_NUMBER_FREE = "You have added as much to this message as its numbers are enough for.";

/** "" where the message holds no widget. */
function widgetTypeOf(first: Submessage | undefined): string {
  if (first?.msg_type !== WIDGET) return "";
  return (JSON.parse(first.content) as { widget_type: string }).widget_type;
}

export const postSubmessage = endpoint({
  summary: "Add to the widget of a message",
  tag: "Messages",
  params: {
    message_id: int,
    msg_type: textOf({ max: SUBMESSAGE_TYPE_LENGTH_MAX }),
    content: textOf({ max: SUBMESSAGE_LENGTH_MAX }),
  },
  answer: nothing,
  run: ({ realm, user }, { message_id, msg_type, content }) =>
    realm.write((tx) => {
      addSubmessage(tx, user, message_id, msg_type, content);
      return {};
    }),
});
