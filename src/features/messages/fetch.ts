// Fetching the messages of a narrow, around an anchor or by their ids.
import { debuglog } from "node:util";
import Type from "typebox";
import { bool, defaulted, json, natural, openEndpoint, optional, text } from "../../endpoint.ts";
import { anchorNotAtEnd, messagesTooMany, parametersNotTogether } from "../../errors-messages.ts";
import type { Reader } from "../../realm.ts";
import { soughtIn } from "../../text/sought.ts";
import { accessAsViewer } from "../channels/access.ts";
import { matchOf } from "../search/match.ts";
import { sightOf } from "../users/access.ts";
import { SPECTATOR, type Viewer } from "../users/rules.ts";
import { flagsOf, OwnFlags } from "./marks.ts";
import { accessOpenTerms, decodeNarrow, queryOf } from "./narrow.ts";
import { planNarrow } from "./plan.ts";
import { type Lookup, rememberedMessages } from "./received.ts";
import { FETCH_MESSAGES_MAX } from "./rules.ts";
import { anchorMeant, select } from "./select.ts";
import { idsFrom, type IdSet } from "./sets.ts";
import { type MessageForm, type MessageObject, messagePresenter, shownTopic } from "./wire.ts";

/** Shown with NODE_DEBUG=skein-narrow: how each narrow is looked up. */
const planned = debuglog("skein-narrow");

export const getMessages = openEndpoint({
  params: {
    anchor: optional(text),
    anchor_date: optional(text),
    include_anchor: defaulted(bool, true),
    num_before: defaulted(natural, 0),
    num_after: defaulted(natural, 0),
    narrow: defaulted(json(Type.Array(Type.Unknown())), []),
    message_ids: optional(json(Type.Array(Type.Integer()))),
    client_gravatar: defaulted(bool, true),
    apply_markdown: defaulted(bool, true),
    allow_empty_topic_name: defaulted(bool, false),
    use_first_unread_anchor: defaulted(bool, false),
  },
  run({ realm, user, spelling }, params) {
    const { read } = realm;
    const viewer = accessAsViewer(read, user);
    const { message_ids, client_gravatar, apply_markdown, allow_empty_topic_name } = params;
    checkTogether(params);
    const terms = decodeNarrow(params.narrow);
    const narrow = viewer === SPECTATOR ? accessOpenTerms(terms) : terms;
    const messageOf = rememberedMessages(read);
    const set = planNarrow(read, viewer, narrow, messageOf, message_ids);
    if (planned.enabled) planned("%s", set.text);
    const form = {
      apply_markdown,
      client_gravatar,
      allow_empty_topic_name,
      spelling,
      viewer,
      sees: sightOf(read, viewer),
    };
    const query = queryOf(narrow);
    const shown = (ids: readonly number[]) => presented(read, viewer, ids, messageOf, form, query);
    if (message_ids) return { messages: shown(allOf(read, set)), ...FOUND_NOTHING };

    const word = params.use_first_unread_anchor ? "first_unread" : params.anchor;
    const anchor = anchorMeant(read, viewer, set, messageOf, word, params.anchor_date);
    const { include_anchor, num_before, num_after } = params;
    const { ids, ...found } = select(read, set, { anchor, include_anchor, num_before, num_after });
    return { messages: shown(ids), anchor, ...found, history_limited: false };
  },
});

const FOUND_NOTHING = {
  found_anchor: false,
  found_oldest: false,
  found_newest: false,
  history_limited: false,
};

function checkTogether(params: {
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
  const wanted = message_ids?.length ?? num_before + num_after;
  if (wanted > FETCH_MESSAGES_MAX) throw messagesTooMany(FETCH_MESSAGES_MAX);
  if (!params.include_anchor && num_before > 0 && num_after > 0) throw anchorNotAtEnd();
}

function allOf(reader: Reader, set: IdSet): number[] {
  return idsFrom(set, 0, reader.last("messages"), FETCH_MESSAGES_MAX);
}

function presented(
  reader: Reader,
  viewer: Viewer,
  ids: readonly number[],
  messageOf: Lookup,
  form: MessageForm,
  query: string | undefined,
): MessageObject[] {
  const present = messagePresenter(reader, form);
  const sought = query === undefined ? undefined : soughtIn(query);
  const own = viewer === SPECTATOR ? undefined : new OwnFlags(reader, viewer.user_id);
  return ids.flatMap((id) => {
    const message = messageOf(id);
    if (!message) return [];
    const shown = { ...present(message), flags: flagsOf(reader, viewer, message, own) };
    if (!sought) return shown;
    const name = reader.topics.get(message.topic_id)?.name;
    const topic = name === undefined ? "" : shownTopic(name, form.allow_empty_topic_name);
    return { ...shown, ...matchOf(message, topic, sought) };
  });
}
