// Lets programs that import messages set the send time.
import Type from "typebox";
import { notAuthorizedForQuery } from "../../../contract/errors/general.ts";
import { mirroredMessageInvalid } from "../../../contract/errors/messages.ts";
import { YEAR_9999_END_SECONDS } from "../../../contract/units.ts";
import { json, optional, rawText } from "../../../endpoint.ts";
import type { Seconds, User } from "../../../schema/records.ts";

export const backdating = {
  sender: optional(rawText),
  forged: optional(rawText),
  time: optional(json(Type.Number({ minimum: 0, maximum: YEAR_9999_END_SECONDS }))),
};

/** Undefined means now. Sending as another user is not possible. */
export function sentAt(
  user: User,
  { sender, forged, time }: { sender?: string; forged?: string; time?: number | undefined },
): Seconds | undefined {
  if (sender === undefined && forged === undefined) return undefined;
  const isForged = forged === "yes" || forged === "true";
  if (isForged && !user.can_forge_sender) throw notAuthorizedForQuery();
  if (sender !== undefined) throw mirroredMessageInvalid();
  return isForged && time !== undefined ? Math.floor(time) : undefined;
}
