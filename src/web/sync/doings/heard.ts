// Finds out whether an unanswered request has reached the server, or is superfluous.
import type { Able } from "../../api/call.ts";
import { fetchMessage } from "../../api/calls.ts";
import { type Params, Refused, type Request, toTryAgain } from "../../api/http.ts";
import { isSameAddition, type Message } from "../../features/messages/state.ts";
import { asNumbered, hasAlready } from "../../features/widgets/already.ts";
import type { Deed, Event } from "../../snapshot.ts";

/** A place in a channel that messages are in, or go to. */
export interface Spot {
  readonly stream_id: number;
  readonly topic: string;
}

/** A change of a message, by which an unanswered request is recognized. */
export interface Change {
  readonly message_id: number;
  readonly content?: string;
  /** Contents that the user's earlier changes may have produced. */
  readonly over?: readonly string[];
  readonly from?: Spot;
  readonly to?: Spot;
  readonly addition?: Addition;
}

/** An addition to a poll or to-do list. */
export interface Addition {
  readonly content: string;
  /** The intended state of a task, since the same request toggles it. */
  readonly isDone?: boolean;
  /** The words of the option or the task that it is about, where that is on its way as well. */
  readonly of?: string | undefined;
}

interface Told {
  readonly method: Request["method"];
  readonly change?: Change;
  readonly was_tried: boolean;
}

/** Only these need a check whether the server has processed them before. */
export const leavesTrace = ({ change, method }: Told): boolean =>
  change !== undefined || method === "DELETE";

/** A task that somebody else has ticked off meanwhile is not to be ticked on again. */
export const mayBeSo = ({ was_tried, change }: Told): boolean =>
  was_tried || change?.addition?.isDone !== undefined || (change?.over?.length ?? 0) > 0;

/** `over`: to do, where one's own earlier change has arrived. */
type Standing = "to-do" | "over" | "done" | "elsewhere";

export async function found(able: Able, change: Change, me: number): Promise<Standing> {
  const { content, over = [], from, to, addition } = change;
  const { message, raw_content } = await looked(able, change);
  if (addition) return hasAlready(message as Message, addition, me) ? "done" : "to-do";
  if (content !== undefined) {
    if (raw_content === content.trim()) return "done";
    return over.some((one) => raw_content === one.trim()) ? "over" : "to-do";
  }
  if (!from || !to || message.stream_id === undefined) return "to-do";
  const isIn = (spot: Spot) =>
    message.stream_id === spot.stream_id && message.subject === spot.topic;
  return isIn(to) ? "done" : isIn(from) ? "to-do" : "elsewhere";
}

/**
 * Drops `prev_content_sha256` if the user's own earlier edit has arrived, because that hash is of
 * the text before that edit.
 */
export const paramsFor = (standing: Standing, params: Params): Params =>
  standing === "over" ? { ...params, prev_content_sha256: undefined } : params;

const looked = (able: Able, { message_id }: Change) =>
  fetchMessage(able, { message_id, apply_markdown: false, allow_empty_topic_name: true });

/** Messages that others have moved meanwhile stay where they are. */
export function asFarAsThere(
  inverse: readonly Deed[],
  stillIn: (ids: readonly number[], spot: Spot) => number[],
): Deed[] {
  return inverse.map((event) => {
    if (event.type !== "update_message") return event;
    const { message_ids, stream_id, orig_subject } = event;
    if (stream_id === undefined || orig_subject === undefined) return event;
    return { ...event, message_ids: stillIn(message_ids, { stream_id, topic: orig_subject }) };
  });
}

/** The server's answer about a change in steps. */
export interface Step {
  readonly updated_count: number;
  readonly first_processed_id: number | null;
  readonly last_processed_id: number | null;
  readonly found_oldest: boolean;
  readonly found_newest: boolean;
}

/** The next step begins where this one ended; undefined where there is none. */
export function nextStep(params: Params, answer: Partial<Step> | undefined): Params | undefined {
  if (answer?.updated_count === undefined) return undefined;
  const isAfter = params["num_before"] === 0;
  if (isAfter ? answer.found_newest : answer.found_oldest) return undefined;
  return { ...params, anchor: `${isAfter ? answer.last_processed_id : answer.first_processed_id}` };
}

interface Numbered {
  readonly params: Params;
  readonly foretold: readonly Deed[];
  readonly change: Change;
}

/** Waits for the number of the entry. Undefined if the server rejected it. */
export async function numbered(
  able: Able,
  { params, foretold, change }: Numbered,
): Promise<Numbered | undefined> {
  const { content: said, isDone } = change.addition!;
  const { message } = await looked(able, change);
  const content = asNumbered(message as Message, said);
  if (content === undefined) return undefined;
  return {
    params: { ...params, content },
    foretold: foretold.map((deed) => (deed.type === "submessage" ? { ...deed, content } : deed)),
    change: { ...change, addition: { content, ...(isDone !== undefined && { isDone }) } },
  };
}

/** The event tells of what was added. */
export const isOf = (
  change: Change | undefined,
  { message_id, content }: Event<"submessage">,
): boolean =>
  change?.message_id === message_id && isSameAddition(change.addition?.content ?? "", content);

const SO_ALREADY = ["REACTION_ALREADY_EXISTS", "REACTION_DOES_NOT_EXIST"];

/** Whether the state is as requested: an answer was lost, or another tab or device was faster. */
export async function isSoAlready(
  able: Able,
  { was_tried, method, change }: Told,
  { code }: Refused,
  me: number,
): Promise<boolean> {
  const isText = code === "EXPECTATION_MISMATCH" && change?.content !== undefined;
  const isDeletion = method === "DELETE" && change !== undefined;
  if (isText || isDeletion) {
    const standing = await found(able, change, me).catch((error: unknown) => {
      if (error instanceof Refused) return toTryAgain(error);
      throw error;
    });
    // Inaccessible messages count as deleted. Edits of them are rejected.
    return isDeletion ? standing === undefined : standing === "done";
  }
  return SO_ALREADY.includes(code) || (was_tried && method === "DELETE");
}

/** Fields that only the server knows: its clock, rendering and results. */
const UNFORESEEN = /^(edit_timestamp|last_updated|flags|orig_content|rendered_content)$/;

/** The server tells what was foretold: it says the same, and what nobody could know before. */
const isTold = (deed: Deed, event: Event): boolean =>
  Object.entries(deed).every(
    ([field, value]) =>
      UNFORESEEN.test(field) ||
      // All of a topic is more than what is known of it.
      (field === "message_ids" && deed.type === "update_message") ||
      isSame(value, event[field as keyof Event]),
  );

export const isSame = (one: unknown, other: unknown): boolean =>
  JSON.stringify(one) === JSON.stringify(other);

interface Foretold {
  /** Key of its action. */
  readonly key: string;
  readonly deed: Deed;
}

/** Changes of the same object are confirmed in order, others independently. */
function isOfSame(deed: Deed, event: Event): boolean {
  if (deed.type !== event.type) return false;
  const [one, other] = [messagesOf(deed), messagesOf(event)];
  return one === undefined || other === undefined || one.some((id) => other.includes(id));
}

/** undefined: it is of no messages. */
function messagesOf(event: Deed | Event): readonly number[] | undefined {
  const { message_id, message_ids, messages } = event as {
    readonly message_id?: number;
    readonly message_ids?: readonly number[];
    readonly messages?: readonly number[];
  };
  return messages ?? message_ids ?? (message_id === undefined ? undefined : [message_id]);
}

/** Some events say more than was foretold, and are never known again. */
const KEPT_MAX = 100;

export class Unheard {
  private rows: readonly Foretold[] = [];
  private readonly told = new WeakSet<Deed>();

  /** An addition is told under a number that nobody could foretell, and never known again. */
  foretell(key: string, deeds: readonly Deed[]): void {
    const values = deeds.filter(({ type }) => type !== "submessage");
    const rows = [...this.rows, ...values.map((deed) => ({ key, deed }))];
    this.rows = rows.slice(-KEPT_MAX);
  }

  forget(key: string): void {
    this.rows = this.rows.filter((row) => row.key !== key);
  }

  /**
   * Returns the events that the server has not confirmed yet. Confirmed ones are not applied again,
   * since they may be outdated.
   */
  untold(deeds: readonly Deed[]): Deed[] {
    return deeds.filter((deed) => !this.told.has(deed));
  }

  /**
   * Returns the keys of confirmed actions (`told`), and later expected events on the same objects,
   * which the received events have overwritten (`covered`).
   */
  coveredBy(events: readonly Event[]): { told: string[]; covered: readonly Foretold[] } {
    const known = events.flatMap((event) => this.heard(event) ?? []);
    const isCovered = ({ deed }: Foretold) => known.some(({ event }) => isOfSame(deed, event));
    return { told: known.map(({ key }) => key), covered: this.rows.filter(isCovered) };
  }

  /** Was it done here? What was done to the same before it has been told as well. */
  private heard(event: Event): { key: string; event: Event } | undefined {
    const at = this.rows.findIndex(({ deed }) => isTold(deed, event));
    if (at === -1) return undefined;
    const { key, deed } = this.rows[at]!;
    this.told.add(deed);
    this.rows = this.rows.filter((row, index) => index > at || !isOfSame(row.deed, event));
    return { key, event };
  }
}

/** An action in steps ends with its last answer. */
export const endsWithEvent = ({ params }: { params: Params }): boolean =>
  params["anchor"] === undefined;
