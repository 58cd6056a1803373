// The sync law's reducer for messages and flags: unread counts, stars, recent conversations.
import type { Event, State } from "./reduce.ts";

/** true: the event was one of these. */
export function reduceMessages(state: State, event: Event): boolean {
  switch (event["type"]) {
    case "message":
      received(state, event["message"], event["flags"]);
      return true;
    case "update_message_flags":
      flagged(state, event);
      return true;
    case "update_message":
      edited(state, event);
      return true;
    case "delete_message":
      forget(state, event["message_ids"] ?? [event["message_id"]]);
      return true;
    default:
      return false;
  }
}

function received(state: State, message: Event, flags: string[]): void {
  state["max_message_id"] = Math.max(state["max_message_id"], message["id"]);
  if (message["type"] === "private") recent(state, message);
  if (!flags.includes("read") && isOwn(state, message)) {
    const mentioned = flags.some((flag) => flag.endsWith("mentioned"));
    addUnread(state, message["id"], bucketOf(state, message), mentioned);
  }
}

/** What is unread is so only where one is subscribed; a bot that is called hears elsewhere too. */
function isOwn(state: State, { type, stream_id }: Event): boolean {
  return type === "private" || isSubscribed(state, stream_id);
}

const isSubscribed = (state: State, stream_id: number): boolean =>
  state["subscriptions"].some((row: Event) => row["stream_id"] === stream_id);

function recent(state: State, message: Event): void {
  const user_ids = message["display_recipient"]
    .map((person: Event) => person["id"])
    .filter((id: number) => id !== state["user_id"])
    .sort((a: number, b: number) => a - b);
  const key = JSON.stringify(user_ids);
  const rest = state["recent_private_conversations"].filter(
    (conversation: Event) =>
      JSON.stringify([...conversation["user_ids"]].sort((a: number, b: number) => a - b)) !== key,
  );
  state["recent_private_conversations"] = [{ user_ids, max_message_id: message["id"] }, ...rest];
}

type Bucket = { list: "streams" | "pms" | "huddles"; key: Event };

function bucketOf(state: State, message: Event): Bucket {
  if (message["type"] === "stream") {
    const key = { stream_id: message["stream_id"], topic: message["subject"] };
    return { list: "streams", key };
  }
  const ids: number[] = message["display_recipient"].map((person: Event) => person["id"]);
  return directBucket(state, ids);
}

function directBucket(state: State, everyone: number[]): Bucket {
  const ids = [...new Set(everyone)].sort((a, b) => a - b);
  if (ids.length > 2) return { list: "huddles", key: { user_ids_string: ids.join(",") } };
  const other = ids.find((id) => id !== state["user_id"]) ?? state["user_id"];
  return { list: "pms", key: { other_user_id: other, sender_id: other } };
}

function addUnread(state: State, id: number, { list, key }: Bucket, mentioned: boolean): void {
  const unread = state["unread_msgs"];
  const first = Object.keys(key).every.bind(Object.keys(key));
  let bucket = unread[list].find((candidate: Event) =>
    first((name) => fold(candidate[name]) === fold(key[name])),
  );
  if (!bucket) unread[list].push((bucket = { ...key, unread_message_ids: [] }));
  bucket.unread_message_ids = ascending([...bucket.unread_message_ids, id]);
  if (mentioned) unread["mentions"] = ascending([...unread["mentions"], id]);
}

function edited(state: State, event: Event): void {
  if ("content" in event) recall(state, event);
  const { stream_id, new_stream_id, orig_subject, subject } = event;
  if (subject === undefined && new_stream_id === undefined) return;
  const to = new_stream_id ?? stream_id;
  const ids: number[] = event["message_ids"];
  const { streams, mentions } = state["unread_msgs"];
  const unread = streams.flatMap((bucket: Event) => bucket["unread_message_ids"]);
  const moved = ids.filter((id) => unread.includes(id));
  const called: number[] = mentions.filter((id: number) => moved.includes(id));
  readAll(state, moved);
  if (!isSubscribed(state, to)) return;
  const key = { stream_id: to, topic: subject ?? orig_subject };
  for (const id of moved) addUnread(state, id, { list: "streams", key }, called.includes(id));
  const bucket = state["unread_msgs"].streams.find(
    (one: Event) => one["stream_id"] === to && fold(one["topic"]) === fold(key.topic),
  );
  if (bucket) bucket.topic = key.topic;
}

/** New content calls others. */
function recall(state: State, { message_id, flags }: Event): void {
  const unread = state["unread_msgs"];
  const rest = unread.mentions.filter((id: number) => id !== message_id);
  const isCalled = flags.some((flag: string) => flag.endsWith("mentioned"));
  unread.mentions = isCalled && !flags.includes("read") ? ascending([...rest, message_id]) : rest;
}

const fold = (value: unknown) => (typeof value === "string" ? value.toLowerCase() : value);
const ascending = (ids: number[]) => [...new Set(ids)].sort((a, b) => a - b);

function flagged(state: State, event: Event): void {
  const { op, flag, messages, all, message_details } = event;
  if (flag === "starred") {
    const kept = state["starred_messages"].filter((id: number) => !messages.includes(id));
    state["starred_messages"] = op === "add" ? ascending([...kept, ...messages]) : kept;
  }
  if (flag !== "read") return;
  if (op === "add") {
    readAll(state, all ? undefined : messages);
    return;
  }
  for (const [id, detail] of Object.entries(message_details as Record<string, Event>)) {
    const bucket: Bucket =
      detail["type"] === "stream"
        ? { list: "streams", key: { stream_id: detail["stream_id"], topic: detail["topic"] } }
        : directBucket(state, [...detail["user_ids"], state["user_id"]]);
    addUnread(state, Number(id), bucket, detail["mentioned"] === true);
  }
}

/** Without ids: everything. */
function readAll(state: State, ids: number[] | undefined): void {
  const unread = state["unread_msgs"];
  const rest = (list: number[]) => (ids ? list.filter((id) => !ids.includes(id)) : []);
  for (const list of ["streams", "pms", "huddles"]) {
    for (const bucket of unread[list]) bucket.unread_message_ids = rest(bucket.unread_message_ids);
    unread[list] = unread[list].filter((bucket: Event) => bucket["unread_message_ids"].length > 0);
  }
  unread["mentions"] = rest(unread["mentions"]);
}

function forget(state: State, ids: number[]): void {
  readAll(state, ids);
  state["starred_messages"] = state["starred_messages"].filter((id: number) => !ids.includes(id));
}

/** Works the number of unread messages out anew, as no event tells it. */
export function countUnread(state: State): void {
  const { pms, huddles, streams } = state["unread_msgs"];
  const heard = streams.filter((bucket: Event) => !isMuted(state, bucket));
  const buckets: Event[] = [...pms, ...huddles, ...heard];
  const numbers = buckets.map((bucket) => bucket["unread_message_ids"].length);
  state["unread_msgs"].count = numbers.reduce((sum, number) => sum + number, 0);
}

const [MUTED, UNMUTED] = [1, 2];

function isMuted(state: State, { stream_id, topic }: Event): boolean {
  const isIn = (row: Event) => row["stream_id"] === stream_id;
  const row = state["user_topics"].find(
    (own: Event) => isIn(own) && fold(own["topic_name"]) === fold(topic),
  );
  const policy = row?.["visibility_policy"] ?? 0;
  if (policy === MUTED) return true;
  return policy < UNMUTED && state["subscriptions"].find(isIn)?.["is_muted"] === true;
}
