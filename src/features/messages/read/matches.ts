// Tells a client which of its messages match a narrow that it cannot evaluate itself.
import Type from "typebox";
import { dict } from "../../../contract/shapes/value-types.ts";
import { endpoint, json } from "../../../endpoint.ts";
import type { Reader } from "../../../realm.ts";
import type { User } from "../../../schema/records.ts";
import { parseQuery } from "../../../text/search/query.ts";
import { type Match, matchOf } from "../../search/match.ts";
import { NARROW_TERMS_MAX } from "../rules.ts";
import { subjectOf } from "../spelling-wire.ts";
import { ownSet, cachedMessages } from "../sets/received.ts";
import { idsFrom, ListedSet, NarrowedSet } from "../sets/sets.ts";
import { decodeNarrow, queryOf, type Term } from "./narrow.ts";
import { planNarrow } from "./plan.ts";

/** Returns matches by id, among the user's own messages. */
function matchesIn(
  reader: Reader,
  user: User,
  ids: readonly number[],
  narrow: readonly Term[],
): Record<number, Match> {
  const messageOf = cachedMessages(reader);
  const planned = planNarrow(reader, user, narrow, messageOf);
  const own = ownSet(reader, user, messageOf);
  const set = new NarrowedSet([new ListedSet(ids), planned, own], []);
  const query = queryOf(narrow);
  const searched = query === undefined ? undefined : parseQuery(query);
  const matches: Record<number, Match> = {};
  for (const id of idsFrom(set, 0, reader.last("messages"), ids.length)) {
    const message = messageOf(id);
    if (!message) continue;
    const topic = subjectOf(reader, message);
    matches[id] = matchOf(reader, message, topic, searched);
  }
  return matches;
}

export const getMatches = endpoint({
  summary: "Get which messages match a narrow",
  tag: "Messages",
  params: {
    msg_ids: json(Type.Array(Type.Integer({ minimum: 0 }))),
    narrow: json(Type.Array(Type.Unknown(), { maxItems: NARROW_TERMS_MAX })),
  },
  answer: Type.Object({
    messages: dict(Type.Object({ match_content: Type.String(), match_subject: Type.String() })),
  }),
  refuses: ["BAD_NARROW"],
  run({ realm, user }, { msg_ids, narrow }) {
    return { messages: matchesIn(realm.read, user, msg_ids, decodeNarrow(narrow)) };
  },
});
