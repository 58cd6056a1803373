// Making a channel of what was thought up, and what stands against it.
import { foldedName } from "../../../../features/channels/rules.ts";
import { CHANNEL_PERMISSIONS } from "../../../../features/rights/permission-rules.ts";
import { go } from "../../../address.ts";
import { Refused } from "../../../api/http.ts";
import { makeChannel } from "../../../api/manage-calls.ts";
import { sync } from "../../../here.ts";
import { now } from "../../../live.ts";
import { refusalOf } from "../../../ui/saving.ts";
import { say } from "../../../words/words.ts";
import { isPossible, KINDS, type KindName, mayMakeKind } from "../asker.ts";
import { retentionAsked } from "../retention.ts";
import { channelPageView } from "../route.ts";
import { type Draft, draft } from "./draft.ts";

export type Wrongs = Readonly<Partial<Record<keyof Draft | "foot", string>>>;

export function againstMaking(name: KindName): string | undefined {
  const { kind } = KINDS.find((one) => one.name === name)!;
  if (!isPossible(now(), kind)) return say("web-is-off");
  return mayMakeKind(now(), kind) ? undefined : say("may-not-make-kind");
}

export function wrongIn({ name }: Draft): Wrongs | undefined {
  if (name.trim() === "") return { name: say("name-missing") };
  const folded = foldedName(name.trim());
  for (const { row } of now().channels.channels.values()) {
    if (foldedName(row.name) !== folded) continue;
    return {
      name: say(row.is_archived ? "name-taken-archived" : "name-taken", { name: row.name }),
    };
  }
  return undefined;
}

/** Beside the field that it is about, where the server says which. */
export function wrongBy(error: unknown): Wrongs {
  const words = refusalOf(error);
  if (!(error instanceof Refused)) return { foot: words };
  const { code, body } = error;
  if (code === "CHANNEL_ALREADY_EXISTS") return { name: say("name-taken-unseen") };
  if (/name/i.test(words)) return { name: words };
  if (/folder/i.test(words)) return { folder_id: words, foot: words };
  if (/description/i.test(`${words} ${String(body["var_name"])}`)) return { description: words };
  if (/user/i.test(words)) return { subscribers: words };
  return { foot: words };
}

export async function make(shown: Draft, subscribers: readonly number[]): Promise<void> {
  const { kind } = KINDS.find(({ name }) => name === shown.kind)!;
  const changed = Object.entries(shown.rights).filter(([name]) => name in CHANNEL_PERMISSIONS);
  const { id } = await makeChannel(sync, {
    name: shown.name.trim(),
    description: shown.description.trim(),
    subscribers: [...subscribers],
    ...kind,
    ...(shown.announce && !kind.invite_only && { announce: true }),
    ...(shown.is_default && { is_default_stream: true }),
    ...(shown.folder_id !== null && { folder_id: shown.folder_id }),
    ...(shown.topics_policy !== "inherit" && { topics_policy: shown.topics_policy }),
    ...(shown.message_retention_days !== null && {
      message_retention_days: retentionAsked(shown.message_retention_days),
    }),
    ...(Object.fromEntries(changed) as object),
  });
  draft.value = undefined;
  const isIn = subscribers.includes(now().people.me);
  go(isIn ? { kind: "topics", stream_id: id } : channelPageView(id, shown.name, "general"));
}
