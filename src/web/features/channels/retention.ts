// How long messages are kept, as numbers of the protocol and as words.
import { RETENTION_FOREVER } from "../../../features/channels/rules.ts";
import { now } from "../../live.ts";
import { say } from "../../words/words.ts";

/** null: as the organization has it. */
export function retentionWords(days: number | null): string {
  if (days === RETENTION_FOREVER) return say("kept-forever");
  if (days !== null) return say("kept-days", { count: days });
  const usual = now().organization.fields["realm_message_retention_days"];
  if (typeof usual !== "number" || usual <= 0) return say("kept-forever");
  return say("kept-days", { count: usual });
}

/** The form that the server expects. */
export function retentionAsked(days: number | null): string {
  if (days === null) return "realm_default";
  return days === RETENTION_FOREVER ? "unlimited" : `${days}`;
}
