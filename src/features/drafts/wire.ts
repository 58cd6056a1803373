// The data of synced drafts for the user's clients.
import type { PlainEvent } from "../../contract/events.ts";
import type { Reader } from "../../realm.ts";
import type { Draft } from "../../schema/records-messages.ts";
import type { User } from "../../schema/records.ts";
import { SNAPSHOT_DRAFTS_MAX } from "./rules.ts";

export function draftObject({ draft_id, type, to, topic, content, timestamp }: Draft) {
  return { id: draft_id, type, to, topic, content, timestamp };
}

/** Most recently edited first. */
export function draftsOf(reader: Reader, { user_id }: Pick<User, "user_id">): Draft[] {
  const drafts = [...reader.drafts.range({ from: [user_id], to: [user_id + 1] })];
  return drafts.sort((a, b) => b.timestamp - a.timestamp || b.draft_id - a.draft_id);
}

export function draftsSnapshot(reader: Reader, user: User) {
  return { drafts: draftsOf(reader, user).slice(0, SNAPSHOT_DRAFTS_MAX).map(draftObject) };
}

export const draftsAdded = (drafts: readonly Draft[]): PlainEvent => ({
  type: "drafts",
  op: "add",
  drafts: drafts.map(draftObject),
});

export const draftUpdated = (draft: Draft): PlainEvent => ({
  type: "drafts",
  op: "update",
  draft: draftObject(draft),
});

export const draftRemoved = (draft_id: number): PlainEvent => ({
  type: "drafts",
  op: "remove",
  draft_id,
});
