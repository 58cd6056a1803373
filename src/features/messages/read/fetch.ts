// Fetching the messages of a narrow, around an anchor or by their ids.
import { debuglog } from "node:util";
import Type, { type Static } from "typebox";
import {
  anchorNotAtEnd,
  messagesTooMany,
  parametersNotTogether,
} from "../../../contract/errors/messages.ts";
import { list, nullable } from "../../../contract/shapes/value-types.ts";
import { foundMessageShape } from "../../../contract/shapes/messages.ts";
import {
  bool,
  defaulted,
  json,
  nonNegativeInt,
  openEndpoint,
  optional,
  text,
} from "../../../endpoint.ts";
import type { Reader } from "../../../realm.ts";
import { parseQuery } from "../../../text/search/query.ts";
import { commonWordsIn, UNINDEXED_MESSAGES_MAX } from "../../../text/search/stop-words.ts";
import { accessAsViewer, channelAccessOf } from "../../channels/access.ts";
import { visibilityTo } from "../../people/access.ts";
import { SPECTATOR, type Viewer } from "../../rights/rules.ts";
import { matchOf } from "../../search/match.ts";
import { FETCH_MESSAGES_MAX, NARROW_TERMS_MAX } from "../rules.ts";
import { type Lookup, cachedMessages } from "../sets/received.ts";
import { idsFrom, type IdSet } from "../sets/sets.ts";
import { flagsOf, OwnFlagReader } from "../unread/personal-flags.ts";
import { type MessageForm, messagePresenter } from "../wire.ts";
import { anchorId, fetchWindow } from "./fetch-window.ts";
import { accessSpectatorTerms, decodeNarrow, queryOf } from "./narrow.ts";
import { planNarrow } from "./plan.ts";

/** Shown with NODE_DEBUG=skein-narrow: how each narrow is looked up. */
const planned = debuglog("skein-narrow");

export const getMessages = openEndpoint({
  summary: "Get messages around an anchor, or by their IDs",
  tag: "Messages",
  params: {
    anchor: optional(text),
    anchor_date: optional(text),
    include_anchor: defaulted(bool, true),
    num_before: defaulted(nonNegativeInt, 0),
    num_after: defaulted(nonNegativeInt, 0),
    narrow: defaulted(json(Type.Array(Type.Unknown(), { maxItems: NARROW_TERMS_MAX })), []),
    message_ids: optional(json(Type.Array(Type.Integer()))),
    client_gravatar: defaulted(bool, true),
    apply_markdown: defaulted(bool, true),
    allow_empty_topic_name: defaulted(bool, false),
    use_first_unread_anchor: defaulted(bool, false),
  },
  answer: Type.Object({
    messages: list(foundMessageShape),
    anchor: Type.Optional(Type.Number()),
    found_anchor: Type.Boolean(),
    found_oldest: Type.Boolean(),
    found_newest: Type.Boolean(),
    history_limited: Type.Boolean(),
    /** The stop words that a search ignores, since they are not in the search index. */
    search_ignored_words: Type.Optional(list(Type.String())),
    /** The number of newest messages that a search for stop words only covers. Otherwise null. */
    search_newest_max: Type.Optional(nullable(Type.Integer())),
  }),
  refuses: ["BAD_NARROW"],
  run({ realm, user, spelling }, params) {
    const { read } = realm;
    const viewer = accessAsViewer(read, user);
    const { message_ids, client_gravatar, apply_markdown, allow_empty_topic_name } = params;
    checkCombination(params);
    const terms = decodeNarrow(params.narrow);
    const narrow = viewer === SPECTATOR ? accessSpectatorTerms(terms) : terms;
    const messageOf = cachedMessages(read);
    const set = planNarrow(read, viewer, narrow, messageOf, message_ids);
    if (planned.enabled) planned("%s", set.text);
    const form = {
      apply_markdown,
      client_gravatar,
      allow_empty_topic_name,
      spelling,
      viewer,
      canSee: visibilityTo(read, viewer),
      channelAccess: channelAccessOf(read, viewer),
    };
    const query = queryOf(narrow);
    const presentIds = (ids: readonly number[]) =>
      presentMessages(read, viewer, ids, messageOf, form, query);
    const searchFields = query === undefined ? undefined : searchDetails(query);
    if (message_ids)
      return { messages: presentIds(idsOf(read, set)), ...EMPTY_WINDOW, ...searchFields };

    const word = params.use_first_unread_anchor ? "first_unread" : params.anchor;
    const anchor = anchorId(read, viewer, set, messageOf, word, params.anchor_date);
    const { include_anchor, num_before, num_after } = params;
    const { ids, ...window } = fetchWindow(read, set, {
      anchor,
      include_anchor,
      num_before,
      num_after,
    });
    return {
      messages: presentIds(ids),
      anchor,
      ...window,
      history_limited: false,
      ...searchFields,
    };
  },
});

const EMPTY_WINDOW = {
  found_anchor: false,
  found_oldest: false,
  found_newest: false,
  history_limited: false,
};

function searchDetails(query: string) {
  const { ignored, areAll } = commonWordsIn(query);
  const search_newest_max = areAll ? UNINDEXED_MESSAGES_MAX : null;
  return { search_ignored_words: ignored, search_newest_max };
}

function checkCombination(params: {
  anchor: string | undefined;
  include_anchor: boolean;
  num_before: number;
  num_after: number;
  message_ids: readonly number[] | undefined;
  use_first_unread_anchor: boolean;
}): void {
  const { message_ids, num_before, num_after } = params;
  if (message_ids) {
    const against = (
      ["anchor", "num_before", "num_after", "use_first_unread_anchor"] as const
    ).filter((name) => params[name]);
    if (against.length > 0) throw parametersNotTogether(["message_ids", ...against].join(", "));
  }
  const requestedCount = message_ids?.length ?? num_before + num_after;
  if (requestedCount > FETCH_MESSAGES_MAX) throw messagesTooMany(FETCH_MESSAGES_MAX);
  if (!params.include_anchor && num_before > 0 && num_after > 0) throw anchorNotAtEnd();
}

function idsOf(reader: Reader, set: IdSet): number[] {
  return idsFrom(set, 0, reader.last("messages"), FETCH_MESSAGES_MAX);
}

function presentMessages(
  reader: Reader,
  viewer: Viewer,
  ids: readonly number[],
  messageOf: Lookup,
  form: MessageForm,
  query: string | undefined,
): Static<typeof foundMessageShape>[] {
  const present = messagePresenter(reader, form);
  const searched = query === undefined ? undefined : parseQuery(query);
  const own = viewer === SPECTATOR ? undefined : new OwnFlagReader(reader, viewer.user_id);
  return ids.flatMap((id) => {
    const message = messageOf(id);
    if (!message) return [];
    const messageObject = { ...present(message), flags: flagsOf(reader, viewer, message, own) };
    if (!searched) return messageObject;
    const topic = messageObject.subject;
    return { ...messageObject, ...matchOf(reader, message, topic, searched) };
  });
}
