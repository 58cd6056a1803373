// Creates a channel from a draft, and maps errors to its fields.
import { foldedName } from "../../../../features/channels/rules.ts";
import { CHANNEL_PERMISSIONS } from "../../../../features/rights/permission-rules.ts";
import { go } from "../../../store/address.ts";
import { ApiError } from "../../../contract/api-error.ts";
import { createChannel } from "../../../api/manage-calls.ts";
import { sync } from "../../../sync/session.ts";
import { getState } from "../../../store/store.ts";
import { fieldsOf } from "../../../ui/form/save-errors.ts";
import { errorOf } from "../../../ui/saving.ts";
import { t } from "../../../words/words.ts";
import { isPrivacyAllowed, type KindName, canCreateKind, kindNamed } from "../permissions.ts";
import { retentionAsked } from "../retention.ts";
import { channelPageView } from "../route-rules.ts";
import { type ChannelDraft, draft } from "./draft.ts";

export type FieldErrors = Readonly<Partial<Record<keyof ChannelDraft | "foot", string>>>;

export function reasonAgainstKind(name: KindName): string | undefined {
  const { kind } = kindNamed(name);
  if (!isPrivacyAllowed(getState(), kind)) return t("web-is-off");
  return canCreateKind(getState(), kind) ? undefined : t("cannot-create-kind");
}

export function validateDraft({ name }: ChannelDraft): FieldErrors | undefined {
  if (name.trim() === "") return { name: t("name-missing") };
  const folded = foldedName(name.trim());
  for (const { row } of getState().channels.channels.values()) {
    if (foldedName(row.name) !== folded) continue;
    return {
      name: t(row.is_archived ? "name-taken-archived" : "name-taken", { name: row.name }),
    };
  }
  return undefined;
}

/** The error beside the field that caused it, if the server names one. */
export function fieldErrorsOf(error: unknown): FieldErrors {
  const text = errorOf(error);
  if (!(error instanceof ApiError)) return { foot: text };
  if (error.code === "CHANNEL_ALREADY_EXISTS") return { name: t("name-taken-unseen") };
  const fields = fieldsOf(error);
  if (fields.has("folder_id")) return { folder_id: text, foot: text };
  const name = (["name", "description", "subscribers"] as const).find((fieldName) =>
    fields.has(fieldName),
  );
  return { [name ?? "foot"]: text };
}

export async function createFromDraft(
  currentDraft: ChannelDraft,
  subscribers: readonly number[],
): Promise<void> {
  const { kind } = kindNamed(currentDraft.kind);
  const changed = Object.entries(currentDraft.rights).filter(
    ([name]) => name in CHANNEL_PERMISSIONS,
  );
  const { id } = await createChannel(sync, {
    name: currentDraft.name.trim(),
    description: currentDraft.description.trim(),
    subscribers: [...subscribers],
    ...kind,
    ...(currentDraft.announce && !kind.invite_only && { announce: true }),
    ...(currentDraft.is_default && { is_default_stream: true }),
    ...(currentDraft.folder_id !== null && { folder_id: currentDraft.folder_id }),
    ...(currentDraft.topics_policy !== "inherit" && { topics_policy: currentDraft.topics_policy }),
    ...(currentDraft.message_retention_days !== null && {
      message_retention_days: retentionAsked(currentDraft.message_retention_days),
    }),
    ...Object.fromEntries(changed),
  });
  draft.value = undefined;
  const isIn = subscribers.includes(getState().people.me);
  go(isIn ? { kind: "topics", stream_id: id } : channelPageView(id, currentDraft.name, "general"));
}
