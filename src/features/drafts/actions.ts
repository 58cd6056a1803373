// Drafts of unsent messages, synced between a user's clients.
import Type, { type Static } from "typebox";
import {
  draftChannelNotSingle,
  draftNotFound,
  draftTimeNegative,
  draftsNotSynchronized,
  recipientIdInvalid,
  topicWithNull,
} from "../../contract/errors/messages.ts";
import { draftShape } from "../../contract/shapes/personal.ts";
import { list, nothing } from "../../contract/shapes/value-types.ts";
import { YEAR_9999_END_SECONDS } from "../../contract/units.ts";
import { endpoint, int, json } from "../../endpoint.ts";
import type { Reader, Writer } from "../../realm.ts";
import type { Draft } from "../../schema/records-messages.ts";
import type { User } from "../../schema/records.ts";
import { accessContent } from "../channels/access.ts";
import { contentOf } from "../messages/content/compose.ts";
import { checkListLength } from "../messages/list-limits.ts";
import { EMPTY_TOPIC_NAME } from "../messages/rules.ts";
import { writtenName } from "../../text/input/normalize-name.ts";
import { cutTopic } from "../messages/topic.ts";
import { isKnown } from "../people/access.ts";
import { userSetting } from "../settings/rules.ts";
import { DRAFTS_MAX } from "./rules.ts";
import { draftObject, draftRemoved, draftsAdded, draftsOf, draftUpdated } from "./wire.ts";

const draftInput = Type.Object(
  {
    type: Type.Enum(["", "stream", "channel", "private", "direct"]),
    to: Type.Array(Type.Integer()),
    topic: Type.String(),
    content: Type.String(),
    timestamp: Type.Optional(Type.Number({ maximum: YEAR_9999_END_SECONDS })),
  },
  { additionalProperties: false },
);
type DraftInput = Static<typeof draftInput>;

/** Adds all of them or none. Returns their ids. */
export function addDrafts(tx: Writer, user: User, input: readonly DraftInput[]): number[] {
  const checked = input.map((item) => checkedDraft(tx, user, item));
  checkRoom([...draftsOf(tx, user), ...checked]);

  const drafts = checked.map((item): Draft => ({ ...item, draft_id: tx.next("drafts") }));
  for (const draft of drafts) tx.drafts.put(draft);
  if (drafts.length > 0) tx.emit(draftsAdded(drafts), toOwner(user));
  return drafts.map((draft) => draft.draft_id);
}

/** Replaces a draft. */
function updateDraft(tx: Writer, user: User, draft_id: number, input: DraftInput): void {
  if (!tx.drafts.has(user.user_id, draft_id)) throw draftNotFound();
  const draft = { ...checkedDraft(tx, user, input), draft_id };
  checkRoom([...draftsOf(tx, user).filter((other) => other.draft_id !== draft_id), draft]);

  tx.drafts.put(draft);
  tx.emit(draftUpdated(draft), toOwner(user));
}

function deleteDraft(tx: Writer, user: User, draft_id: number): void {
  if (!tx.drafts.has(user.user_id, draft_id)) throw draftNotFound();

  tx.drafts.delete(user.user_id, draft_id);
  tx.emit(draftRemoved(draft_id), toOwner(user));
}

/**
 * Deletes the drafts of a user who no longer syncs them. Clients drop their copies by themselves.
 */
export function forgetDrafts(tx: Writer, user: Pick<User, "user_id">): void {
  for (const { user_id, draft_id } of draftsOf(tx, user)) tx.drafts.delete(user_id, draft_id);
}

export const getDrafts = endpoint({
  summary: "List your drafts",
  tag: "Drafts",
  params: {},
  answer: Type.Object({ count: Type.Integer(), drafts: list(draftShape) }),
  run({ realm, user }) {
    checkSynchronizes(user);
    const drafts = draftsOf(realm.read, user).map(draftObject);
    return { count: drafts.length, drafts };
  },
});

export const postDrafts = endpoint({
  summary: "Add drafts",
  tag: "Drafts",
  params: { drafts: json(Type.Array(draftInput)) },
  answer: Type.Object({ ids: list(Type.Integer()) }),
  async run({ realm, user }, { drafts }) {
    checkSynchronizes(user);
    return { ids: await realm.write((tx) => addDrafts(tx, user, drafts)) };
  },
});

export const patchDraft = endpoint({
  summary: "Change a draft",
  tag: "Drafts",
  params: { draft_id: int, draft: json(draftInput) },
  answer: nothing,
  async run({ realm, user }, { draft_id, draft }) {
    checkSynchronizes(user);
    await realm.write((tx) => updateDraft(tx, user, draft_id, draft));
    return {};
  },
});

export const removeDraft = endpoint({
  summary: "Delete a draft",
  tag: "Drafts",
  params: { draft_id: int },
  answer: nothing,
  async run({ realm, user }, { draft_id }) {
    checkSynchronizes(user);
    await realm.write((tx) => deleteDraft(tx, user, draft_id));
    return {};
  },
});

function checkSynchronizes(user: User): void {
  if (!userSetting(user, "enable_drafts_synchronization")) throw draftsNotSynchronized();
}

function checkedDraft(reader: Reader, user: User, input: DraftInput): Omit<Draft, "draft_id"> {
  const content = contentOf(input.content);
  const seconds = input.timestamp ?? reader.now;
  if (seconds < 0) throw draftTimeNegative();
  const fields = { user_id: user.user_id, content, timestamp: Math.floor(seconds) };
  if (input.type === "stream" || input.type === "channel") {
    const [stream_id, ...more] = input.to;
    if (stream_id === undefined || more.length > 0) throw draftChannelNotSingle();
    if (input.topic.includes("\0")) throw topicWithNull();
    accessContent(reader, user, stream_id);
    return { ...fields, type: "stream", to: input.to, topic: topicIn(input.topic) };
  }
  const people = input.type === "" ? [] : peopleOf(reader, user, input.to);
  return { ...fields, type: people.length > 0 ? "private" : "", to: people, topic: "" };
}

/** The send rejects a draft whose topic is invalid. */
function topicIn(value: string): string {
  const name = writtenName(value).trim();
  return name === EMPTY_TOPIC_NAME ? "" : cutTopic(name);
}

function peopleOf(reader: Reader, user: User, input: readonly number[]): number[] {
  const outsider = input.find((id) => !isKnown(reader, user, id));
  if (outsider !== undefined) throw recipientIdInvalid(outsider);
  const others = [...new Set(input)].filter((id) => id !== user.user_id).sort((a, b) => a - b);
  return others.length === 0 && input.length > 0 ? [user.user_id] : others;
}

function checkRoom(drafts: readonly Pick<Draft, "topic" | "content" | "to">[]): void {
  const texts = drafts.map(({ topic, content, to }) => [topic, content, to.join()]);
  checkListLength("drafts", DRAFTS_MAX, texts);
}

const toOwner = ({ user_id }: User) => ({ to: "people", user_ids: [user_id] }) as const;
