// A model of the server, for changes that a client repeats until they are answered.
import type { Request } from "../../../src/web/api/http.ts";
import { ApiError } from "../../../src/web/contract/api-error.ts";
import type { Json } from "../../test-server.ts";

export interface ModelMessage {
  content: string;
  isStarred: boolean;
  isLiked: boolean;
}

/** The text of messages and edits that the server rejects. */
export const REJECTED = "rejected";

/** The message whose flags and reactions the server does not change. */
export const FROZEN_ID = 6;

const ME = 7;

export class ModelServer {
  readonly messages = new Map<number, ModelMessage>();
  readonly events: Json[] = [];
  /** Texts in the order in which they were stored. */
  readonly stored: string[] = [];
  private readonly keys = new Map<string, number>();
  private last = 0;

  /** Performs the request, as the server does when it arrives. */
  answer({ method, path, params = {}, headers = {} }: Request): Json {
    const [, , id, more] = path.split("/");
    if (path === "/messages") return this.store(params, headers["Idempotency-Key"]!);
    if (path === "/messages/flags") return this.flag(params);
    const message_id = Number(id);
    const message = this.messages.get(message_id);
    if (!message) throw new ApiError(400, "BAD_REQUEST", "Invalid message(s)", {});
    if (more === "reactions") return this.react(message_id, message, method === "POST");
    if (method === "GET") return this.read(message_id, message);
    if (method === "DELETE") return this.remove(message_id);
    return this.edit(message_id, message, String(params["content"]));
  }

  post(content: string, local_message_id?: string): number {
    const id = (this.last += 1);
    this.messages.set(id, { content, isStarred: false, isLiked: false });
    this.emit({ type: "message", message: { id, content }, local_message_id });
    return id;
  }

  private store(params: Json, key: string): Json {
    const text = String(params["content"]);
    if (text.includes(REJECTED)) throw new ApiError(400, "BAD_REQUEST", "Not here", {});
    const id = this.keys.get(key) ?? this.post(text, params["local_id"]);
    if (!this.keys.has(key)) this.stored.push(text);
    this.keys.set(key, id);
    return { id };
  }

  private flag({ op, messages }: Json): Json {
    if (messages.includes(FROZEN_ID)) throw new ApiError(400, "BAD_REQUEST", "Frozen", {});
    for (const id of messages) {
      const message = this.messages.get(id);
      if (message) message.isStarred = op === "add";
    }
    this.emit({ type: "update_message_flags", op, flag: "starred", messages, all: false });
    return {};
  }

  private react(message_id: number, message: ModelMessage, isAdded: boolean): Json {
    if (message_id === FROZEN_ID) throw new ApiError(400, "BAD_REQUEST", "Frozen", {});
    if (message.isLiked === isAdded) {
      const code = isAdded ? "REACTION_ALREADY_EXISTS" : "REACTION_DOES_NOT_EXIST";
      throw new ApiError(400, code, "So already", {});
    }
    message.isLiked = isAdded;
    this.emit({ ...reactionOf(message_id, isAdded) });
    return {};
  }

  private read(id: number, { content }: ModelMessage): Json {
    return { message: { id, content, submessages: [] }, raw_content: content };
  }

  private remove(id: number): Json {
    this.messages.delete(id);
    this.emit({ type: "delete_message", message_ids: [id] });
    return {};
  }

  private edit(id: number, message: ModelMessage, content: string): Json {
    if (content.includes(REJECTED)) throw new ApiError(400, "BAD_REQUEST", "Not so", {});
    message.content = content;
    this.emit({ ...editOf(id, content), edit_timestamp: this.events.length });
    return {};
  }

  private emit(event: Json): void {
    this.events.push({ ...event, id: this.events.length });
  }
}

/** The events of a user's own actions, as the client expects them. */
export const reactionOf = (message_id: number, isAdded: boolean) => ({
  type: "reaction",
  op: isAdded ? "add" : "remove",
  message_id,
  user_id: ME,
  emoji_name: "heart",
});

export const flagOf = (id: number, isAdded: boolean) => ({
  type: "update_message_flags",
  op: isAdded ? "add" : "remove",
  flag: "starred",
  messages: [id],
  all: false,
});

export const editOf = (id: number, content: string) => ({
  type: "update_message",
  message_id: id,
  message_ids: [id],
  content,
  rendered_content: content,
});

/** The client's messages after an event, optimistic or real. */
export function reduce(messages: Map<number, ModelMessage>, event: Json): void {
  const messageById = (id: number) => messages.get(id);
  const { type, op, message, message_id, message_ids = [], messages: flagged = [] } = event;
  if (type === "message")
    messages.set(message.id, { content: message.content, isStarred: false, isLiked: false });
  if (type === "delete_message") for (const id of message_ids) messages.delete(id);
  const changed = [...message_ids, ...flagged, message_id]
    .map(messageById)
    .filter((modelMessage) => modelMessage);
  for (const modelMessage of changed as ModelMessage[]) {
    if (type === "update_message") modelMessage.content = event.rendered_content;
    if (type === "update_message_flags") modelMessage.isStarred = op === "add";
    if (type === "reaction") modelMessage.isLiked = op === "add";
  }
}
