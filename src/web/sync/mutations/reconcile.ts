// Finds out whether a request without a response has reached the server, or is unnecessary.
import type { ApiClient } from "../../api/call.ts";
import { fetchMessage } from "../../api/calls.ts";
import { type Params, type Request, rethrowSessionError } from "../../api/http.ts";
import { ApiError } from "../../contract/api-error.ts";
import { isSameAddition } from "../../features/messages/state.ts";
import type { Message } from "../../contract/message.ts";
import { asNumbered, isAlreadyDone } from "../../features/widgets/selectors.ts";
import type { Event, LocalEvent } from "../../contract/snapshot.ts";

/** A topic with the messages, or to which they move. */
export interface TopicRef {
  readonly stream_id: number;
  readonly topic: string;
}

/** The properties of a change that identify a request without a response. */
export interface MessageChange {
  readonly message_id: number;
  readonly content?: string;
  /** Contents that the user's earlier changes may have produced. */
  readonly over?: readonly string[];
  readonly from?: TopicRef;
  readonly to?: TopicRef;
  readonly addition?: WidgetAddition;
}

/** An addition to a poll or to-do list. */
interface WidgetAddition {
  readonly content: string;
  /** The intended state of a task, since the same request toggles it. */
  readonly isDone?: boolean;
  /** The text of its option or task, if that is still pending as well. */
  readonly of?: string | undefined;
}

interface AttemptedRequest {
  readonly method: Request["method"];
  readonly change?: MessageChange;
  readonly was_tried: boolean;
}

/**
 * Whether the effect of the request can be read from its message. Only such requests are checked
 * before they are repeated.
 */
export const isVisibleInMessage = ({ change, method }: AttemptedRequest): boolean =>
  change !== undefined || method === "DELETE";

/** A task that another user has completed meanwhile must not be reopened. */
export const canBeDone = ({ was_tried, change }: AttemptedRequest): boolean =>
  was_tried || change?.addition?.isDone !== undefined || (change?.over?.length ?? 0) > 0;

/** "over": the request is still necessary, in addition to the user's own earlier change. */
type MutationOutcome = "to-do" | "over" | "done" | "elsewhere";

export async function outcomeOf(
  client: ApiClient,
  change: MessageChange,
  me: number,
): Promise<MutationOutcome> {
  const { content, over = [], from, to, addition } = change;
  const { message, raw_content } = await fetchMessageOf(client, change);
  if (addition) return isAlreadyDone(message as Message, addition, me) ? "done" : "to-do";
  if (content !== undefined) {
    if (raw_content === content.trim()) return "done";
    return over.some((item) => raw_content === item.trim()) ? "over" : "to-do";
  }
  if (!from || !to || message.stream_id === undefined) return "to-do";
  const isIncluded = (ref: TopicRef) =>
    message.stream_id === ref.stream_id && message.subject === ref.topic;
  return isIncluded(to) ? "done" : isIncluded(from) ? "to-do" : "elsewhere";
}

/**
 * Drops `prev_content_sha256` if the user's own earlier edit has arrived, because that hash is of
 * the text before that edit.
 */
export const paramsFor = (outcome: MutationOutcome, params: Params): Params =>
  outcome === "over" ? { ...params, prev_content_sha256: undefined } : params;

const fetchMessageOf = (client: ApiClient, { message_id }: MessageChange) =>
  fetchMessage(client, { message_id, apply_markdown: false, allow_empty_topic_name: true });

/** Messages that other users have moved meanwhile are left out. */
export function withoutMoved(
  inverse: readonly LocalEvent[],
  remainsIn: (ids: readonly number[], ref: TopicRef) => number[],
): LocalEvent[] {
  return inverse.map((event) => {
    if (event.type !== "update_message") return event;
    const { message_ids, stream_id, orig_subject } = event;
    if (stream_id === undefined || orig_subject === undefined) return event;
    return { ...event, message_ids: remainsIn(message_ids, { stream_id, topic: orig_subject }) };
  });
}

/** The server's answer to one step of a change. */
export interface ChangeStep {
  readonly updated_count: number;
  readonly first_processed_id: number | null;
  readonly last_processed_id: number | null;
  readonly found_oldest: boolean;
  readonly found_newest: boolean;
}

/**
 * The parameters of the next step, which continues the previous one; undefined after the last step.
 */
export function nextStep(
  params: Params,
  step: Partial<ChangeStep> | undefined,
): Params | undefined {
  if (step?.updated_count === undefined) return undefined;
  const isAfter = params["num_before"] === 0;
  if (isAfter ? step.found_newest : step.found_oldest) return undefined;
  return { ...params, anchor: `${isAfter ? step.last_processed_id : step.first_processed_id}` };
}

interface NumberedChange {
  readonly params: Params;
  readonly foretold: readonly LocalEvent[];
  readonly change: MessageChange;
}

/**
 * Replaces the text of an unconfirmed entry by the number that the server has assigned to it.
 * Undefined if the server does not have the entry.
 */
export async function withNumber(
  client: ApiClient,
  { params, foretold, change }: NumberedChange,
): Promise<NumberedChange | undefined> {
  const { content: pending, isDone } = change.addition!;
  const { message } = await fetchMessageOf(client, change);
  const content = asNumbered(message as Message, pending);
  if (content === undefined) return undefined;
  return {
    params: { ...params, content },
    foretold: foretold.map((event) =>
      event.type === "submessage" ? { ...event, content } : event,
    ),
    change: { ...change, addition: { content, ...(isDone !== undefined && { isDone }) } },
  };
}

/** Whether the event contains the addition. */
export const eventHasAddition = (
  change: MessageChange | undefined,
  { message_id, content }: Event<"submessage">,
): boolean =>
  change?.message_id === message_id && isSameAddition(change.addition?.content ?? "", content);

const ALREADY_APPLIED_CODES = ["REACTION_ALREADY_EXISTS", "REACTION_DOES_NOT_EXIST"];

/** Whether the state is as requested: a response was lost, or another tab or device was faster. */
export async function isAlreadyApplied(
  client: ApiClient,
  { was_tried, method, change }: AttemptedRequest,
  { code }: ApiError,
  me: number,
): Promise<boolean> {
  const isText = code === "EXPECTATION_MISMATCH" && change?.content !== undefined;
  const isDeletion = method === "DELETE" && change !== undefined;
  if (isText || isDeletion) {
    const outcome = await outcomeOf(client, change, me).catch((error: unknown) => {
      if (error instanceof ApiError) return rethrowSessionError(error);
      throw error;
    });
    // Inaccessible messages count as deleted. Edits of them are rejected.
    return isDeletion ? outcome === undefined : outcome === "done";
  }
  return ALREADY_APPLIED_CODES.includes(code) || (was_tried && method === "DELETE");
}

/** A stepwise action ends with its last response. */
export const endsWithEvent = ({ params }: { params: Params }): boolean =>
  params["anchor"] === undefined;
