// Translates the terms of a narrow into the set of messages that match for a user.
import { tooLong } from "../../../contract/errors/channels.ts";
import { badNarrow, searchTooManyWords } from "../../../contract/errors/messages.ts";
import type { Reader } from "../../../realm.ts";
import type { User } from "../../../schema/records.ts";
import { type ParsedQuery, parseQuery } from "../../../text/search/query.ts";
import { canReadChannel } from "../../channels/access.ts";
import { isProtected } from "../../channels/rules.ts";
import { isGuest, SPECTATOR, type Viewer } from "../../rights/rules.ts";
import { searchSets } from "../../search/plan.ts";
import { canReadMessage } from "../access.ts";
import { SEARCH_LENGTH_MAX, SEARCH_WORDS_MAX } from "../rules.ts";
import { type Lookup, ownSet, readableChannels, wholeChannels } from "../sets/received.ts";
import { type IdSet, idsBack, ListedSet, NarrowedSet } from "../sets/sets.ts";
import {
  checkTermCombination,
  isChannelTerm,
  isDirectTerm,
  type Operator,
  queryOf,
  type Term,
} from "./narrow.ts";
import { channelOfOperand, termSetOf, messageIdOf } from "./terms.ts";

/** Returns the messages of the narrow; `messageIds`: the ids that the viewer may read. */
export function planNarrow(
  reader: Reader,
  viewer: Viewer,
  narrow: readonly Term[],
  messageOf: Lookup,
  messageIds?: readonly number[],
): IdSet {
  const terms = withConversation(reader, viewer, narrow, messageOf);
  checkTermCombination(terms);
  const query = queryOf(terms);
  if (query === undefined) return planTerms(reader, viewer, terms, messageOf, [], messageIds);
  const searched = checkedQuery(query);
  const plan = (asParts: boolean, of?: readonly number[]) => {
    const resultSets = searchSets(reader, searched, messageOf, asParts);
    return planTerms(reader, viewer, terms, messageOf, resultSets, of);
  };
  const planned = plan(false);
  // Searches for parts of words only if no message contains the whole words: a search for "port"
  // does not find "important" if "port" occurs.
  const asParts = idsBack(planned, 0, reader.last("messages"), 1).length === 0;
  return asParts || messageIds ? plan(asParts, messageIds) : planned;
}

/** Rejects queries that would be expensive to search for. */
function checkedQuery(query: string): ParsedQuery {
  if (query.length > SEARCH_LENGTH_MAX) throw tooLong("operand", SEARCH_LENGTH_MAX);
  const searched = parseQuery(query);
  const { words, phrases, compounds } = searched;
  const count = words.length + phrases.length + compounds.length;
  if (count > SEARCH_WORDS_MAX) throw searchTooManyWords(SEARCH_WORDS_MAX);
  return searched;
}

function planTerms(
  reader: Reader,
  viewer: Viewer,
  terms: readonly Term[],
  messageOf: Lookup,
  resultSets: readonly IdSet[],
  messageIds?: readonly number[],
): IdSet {
  const inChannels = namedChannels(reader, viewer, terms);
  const streams = inChannels ?? readableStreams(reader, viewer);
  const searchScope = { reader, viewer, messageOf, streams };
  const [within, without]: [IdSet[], IdSet[]] = [[...resultSets], []];
  let isOwn = false;
  const hasTopic = terms.some((term) => term.operator === "topic" && !term.negated);
  for (const term of terms) {
    const termSet = termSetOf(searchScope, term);
    if (!termSet) continue;
    // The topic is searched only in that channel, so the channel term adds no condition.
    const isImplied = term.operator === "channel" && hasTopic && inChannels?.length === 1;
    if (termSet.negated) without.push(termSet.set);
    else if (!isImplied) within.push(termSet.set);
    isOwn ||= termSet.isOwn === true && !termSet.negated;
  }
  if (messageIds) {
    within.push(new ListedSet(messageIds.filter((id) => canRead(reader, viewer, messageOf, id))));
  } else if (viewer === SPECTATOR) {
    within.push(wholeChannels(reader, "on the web", streams, messageOf));
  } else if (!isOwn && !seesHistory(reader, viewer, terms)) {
    const directs = !terms.some(isChannelTerm);
    const channels = terms.some(isDirectTerm) ? [] : inChannels;
    within.push(ownSet(reader, viewer, messageOf, { streams: channels, directs }));
  }
  return within.length === 1 && without.length === 0
    ? within[0]!
    : new NarrowedSet(within, without);
}

function canRead(reader: Reader, viewer: Viewer, messageOf: Lookup, id: number): boolean {
  const message = messageOf(id);
  return message !== undefined && canReadMessage(reader, viewer, message);
}

/**
 * Whether the narrow covers the complete history of channels and not only received messages: it
 * names a channel whose history the user can read, and has no term that applies only to the user's
 * own messages.
 */
function seesHistory(reader: Reader, user: User, terms: readonly Term[]): boolean {
  if (terms.some(({ operator, operand }) => operator === "is" && operand !== "resolved")) {
    return false;
  }
  return terms.some(({ operator, operand, negated }) => {
    if (negated) return false;
    if (operator === "channels") return operand === "public" && !isGuest(user);
    if (operator !== "channel") return false;
    const channel = channelOfOperand(reader, user, operand);
    return canReadChannel(reader, user, channel) && !isProtected(channel);
  });
}

/** The named channels; undefined if there are none. */
function namedChannels(
  reader: Reader,
  viewer: Viewer,
  terms: readonly Term[],
): number[] | undefined {
  const channelTerms = terms.filter((term) => term.operator === "channel" && !term.negated);
  if (channelTerms.length === 0) return undefined;
  const streams = channelTerms.map(
    ({ operand }) => channelOfOperand(reader, viewer, operand).stream_id,
  );
  return [...new Set(streams)];
}

function readableStreams(reader: Reader, viewer: Viewer): number[] {
  const readable = readableChannels(reader, viewer);
  const streams = [...reader.channels.range()].map((channel) => channel.stream_id);
  return streams.filter(readable);
}

const CONVERSATION_OPERATORS: readonly Operator[] = ["channel", "channels", "topic", "dm"];

/** Replaces the named conversation with that of the message that `with` refers to. */
function withConversation(
  reader: Reader,
  viewer: Viewer,
  terms: readonly Term[],
  messageOf: Lookup,
): readonly Term[] {
  const term = terms.find(({ operator }) => operator === "with");
  if (!term) return terms;
  const id = messageIdOf(term.operand);
  if (id === undefined) throw badNarrow("Invalid 'with' operator");
  if (!canRead(reader, viewer, messageOf, id)) {
    if (namesConversation(terms)) return terms;
    throw badNarrow("Invalid 'with' operator");
  }
  const { stream_id, topic_id, recipient_id } = messageOf(id)!;
  const others = terms.filter(({ operator }) => !CONVERSATION_OPERATORS.includes(operator));
  const termsWith = (operator: Operator, operand: Term["operand"]): Term => {
    return { operator, operand, negated: false };
  };
  if (stream_id === 0) {
    const people = reader.conversations.get(recipient_id)?.user_ids ?? [];
    return [...others, termsWith("dm", people)];
  }
  const topic = reader.topics.get(topic_id)?.name ?? "";
  return [...others, termsWith("channel", stream_id), termsWith("topic", topic)];
}

function namesConversation(terms: readonly Term[]): boolean {
  const names = (operatorName: Operator) =>
    terms.some(({ operator, negated }) => operator === operatorName && !negated);
  return names("dm") || (names("channel") && names("topic"));
}
