// Submessages: votes, answers and completed tasks in a message's poll or to-do list.
import { tooMuch } from "../../contract/errors/channels.ts";
import {
  submessageInvalid,
  submessageNotAllowed,
  submessagesTooMany,
} from "../../contract/errors/messages.ts";
import { nothing } from "../../contract/shapes/value-types.ts";
import { endpoint, int, textOf } from "../../endpoint.ts";
import type { Writer } from "../../realm.ts";
import type { Submessage } from "../../schema/records-messages.ts";
import type { User } from "../../schema/records.ts";
import { submessageFault, withOwnNumber } from "../../text/widget.ts";
import { accessToChange } from "../messages/access.ts";
import { LIST_LENGTH_MAX } from "../messages/list-limits.ts";
import { WIDGET } from "../messages/rules.ts";
import { followAfterParticipation } from "../messages/send/follow.ts";
import { audienceOf } from "../messages/sets/audience.ts";
import { SUBMESSAGE_LENGTH_MAX, SUBMESSAGE_TYPE_LENGTH_MAX, SUBMESSAGES_MAX } from "./rules.ts";
import { submessageAdded } from "./wire.ts";

export function addSubmessage(
  tx: Writer,
  user: User,
  message_id: number,
  msg_type: string,
  value: string,
): void {
  const message = accessToChange(tx, user, message_id);
  const submessages = message.submessages ?? [];
  const isAuthor = message.sender_id === user.user_id;
  const isOpen = submessages.some(({ sender_id }) => sender_id === message.sender_id);
  if (!isAuthor && !isOpen) throw submessageNotAllowed();
  // Clients treat the first submessage of this type as the widget, which only a send may create.
  if (submessages.length === 0 && msg_type === WIDGET) throw submessageNotAllowed();
  const widget_type = widgetTypeOf(submessages[0]);
  const fault = submessageFault(widget_type, value, isAuthor);
  if (fault !== undefined) throw submessageInvalid(fault);
  if (submessages.length >= SUBMESSAGES_MAX) throw submessagesTooMany(SUBMESSAGES_MAX);
  const own = submessages.filter(({ sender_id }) => sender_id === user.user_id);
  const before = own.map((submessage) => submessage.content);
  const content = widget_type === "" ? value : withOwnNumber(value, before);
  if (content === undefined) throw submessageInvalid(SUBMESSAGE_LIMIT_REACHED);
  const length = submessages.reduce((sum, other) => sum + other.content.length, content.length);
  if (length > LIST_LENGTH_MAX) throw tooMuch("submessages of a message", LIST_LENGTH_MAX);

  const id = tx.next("submessages");
  const submessage = { id, message_id, sender_id: user.user_id, msg_type, content };
  tx.messages.put({ ...message, submessages: [...submessages, submessage] });
  followAfterParticipation(tx, user, message);
  tx.emit(submessageAdded(submessage), audienceOf(tx, message));
}

const SUBMESSAGE_LIMIT_REACHED = "You have reached the limit of additions to this message.";

/** "" if the message has no widget. */
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
