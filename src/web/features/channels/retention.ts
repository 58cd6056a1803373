// Message retention periods as protocol values and as text.
import { RETENTION_FOREVER } from "../../../features/channels/rules.ts";
import { getState } from "../../store/store.ts";
import { t } from "../../words/words.ts";

/** null: the organization's setting. */
export function retentionText(days: number | null): string {
  if (days === RETENTION_FOREVER) return t("retention-forever");
  if (days !== null) return t("retention-days", { count: days });
  const usual = getState().organization.fields["realm_message_retention_days"];
  if (typeof usual !== "number" || usual <= 0) return t("retention-forever");
  return t("retention-days", { count: usual });
}

/** The value in the server's format. */
export function retentionAsked(days: number | null): string {
  if (days === null) return "realm_default";
  return days === RETENTION_FOREVER ? "unlimited" : `${days}`;
}
