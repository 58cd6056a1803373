// Calls that the first view needs.
import type { postFlags } from "../../features/messages/flags/flags.ts";
import type { getMessages } from "../../features/messages/read/fetch.ts";
import type { getMessage } from "../../features/messages/read/fetch-one.ts";
import type { getTopics } from "../../features/messages/read/topics.ts";
import type { registerQueue } from "../../features/register/register.ts";
import type { Message } from "../contract/message.ts";
import type { Event, Snapshot } from "../contract/snapshot.ts";
import { call } from "./call.ts";

/** Search results contain highlighted text. */
export type FoundMessage = Message & { match_content?: string; match_subject?: string };

/** The response of a request for messages. */
interface FetchedMessages {
  readonly messages: FoundMessage[];
  /** The anchor that the server has determined. */
  readonly anchor: number;
  readonly found_oldest: boolean;
  readonly found_newest: boolean;
  readonly history_limited: boolean;
}

export const register = call<typeof registerQueue, Snapshot>("POST", "/register", "view", true);
export const fetchMessages = call<typeof getMessages, FetchedMessages>("GET", "/messages", "view");
export const changeFlags = call<typeof postFlags>("POST", "/messages/flags", "flags", true);
export const fetchTopics = call<typeof getTopics, { topics: { name: string; max_id: number }[] }>(
  "GET",
  "/users/me/{stream_id}/topics",
  "view",
);
/** The response of a poll. */
export interface PollResponse {
  readonly events: Event[];
}

interface FetchedMessage {
  readonly message: Message;
  readonly raw_content: string;
}
export const fetchMessage = call<typeof getMessage, FetchedMessage>(
  "GET",
  "/messages/{message_id}",
  "view",
);
