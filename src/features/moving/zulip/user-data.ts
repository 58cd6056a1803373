// Reads data of single users and of the whole organization, except accounts and channels.
import { Refusal } from "../../../contract/errors/general.ts";
import type { Reader } from "../../../realm.ts";
import { foldedWord } from "../../../text/alert-words.ts";
import { isFields, jsonIn } from "../../../text/untrusted-json.ts";
import { UNICODE_EMOJI } from "../../emoji/access.ts";
import { faultsOf as linkifierFaults, LINKIFIERS_MAX } from "../../linkifiers/rules.ts";
import { MESSAGE_LENGTH_MAX } from "../../messages/rules.ts";
import { faultsOf as playgroundFaults, PLAYGROUNDS_MAX } from "../../playgrounds/rules.ts";
import { checkedData } from "../../profile/data.ts";
import {
  FIELD_HINT_LENGTH_MAX,
  FIELD_NAME_LENGTH_MAX,
  isFieldType,
  isMarkdown,
  PEOPLE,
  SHORT_TEXT,
} from "../../profile/rules.ts";
import { SNIPPET_TITLE_LENGTH_MAX } from "../../snippets/rules.ts";
import { renderedDescription } from "../../messages/content/description.ts";
import type { Item } from "../write-row.ts";
import type { Reporting } from "../report.ts";
import {
  bool,
  truncated,
  field,
  idIn,
  int,
  nameIn,
  objectsIn,
  seconds,
  text,
  type ZulipRow,
} from "./read/rows.ts";
import type { ZulipExport } from "./read/source.ts";
import { emojiIn } from "./reactions.ts";
import { rowItem } from "./steps.ts";
import { topicIn } from "./read/topic.ts";

interface KnownIds {
  readonly users: { has(id: number): boolean };
  readonly channels: { has(id: number): boolean };
}

const POLICIES = [1, 2, 3];
const MUTED = 1;
const WORDS_MAX = 1_000;
const INVALID_FIELD_DATA =
  "A profile field whose options or site cannot be imported becomes a text field.";

/** `reader` is for rendering; accounts, channels and custom emoji have been written already. */
export async function* personalItems(
  source: ZulipExport,
  knownIds: KnownIds,
  reader: () => Reader,
  reporting: Reporting,
  now: number,
): AsyncIterable<Item> {
  yield* organizationItems(source, reporting);
  yield* profileItems(source, knownIds, reader, reporting);
  const isHere = (row: ZulipRow, column: string) => knownIds.users.has(int(row, column) ?? 0);
  for (const table of ["zerver_usertopic", "zerver_mutedtopic"]) {
    for await (const { row } of source.rows(table)) {
      const stream_id = int(row, "stream") ?? 0;
      if (!isHere(row, "user_profile") || !knownIds.channels.has(stream_id)) continue;
      const visibility_policy = int(row, "visibility_policy") ?? MUTED;
      if (!POLICIES.includes(visibility_policy)) continue;
      const topic_name = topicIn(text(row, "topic_name") ?? "");
      const last_updated = seconds(row, "last_updated") ?? seconds(row, "date_muted") ?? now;
      const user_id = int(row, "user_profile")!;
      const folded = topic_name.toLowerCase();
      const topic = { user_id, stream_id, folded, topic_name, visibility_policy, last_updated };
      yield rowItem("user_topics", topic);
    }
  }
  for await (const { row } of source.rows("zerver_muteduser")) {
    const [user_id, muted_user_id] = [int(row, "user_profile"), int(row, "muted_user")];
    if (!isHere(row, "user_profile") || !isHere(row, "muted_user")) continue;
    yield rowItem("muted_users", {
      ...{ user_id, muted_user_id },
      timestamp: seconds(row, "date_muted") ?? now,
    });
  }
  for await (const { row } of source.rows("zerver_alertword")) {
    const word = (text(row, "word") ?? "").trim();
    if (isHere(row, "user_profile") && word) yield wordItem(int(row, "user_profile")!, word);
  }
  // Up to version 2.1, alert words were JSON in the account.
  for await (const { row } of source.rows("zerver_userprofile")) {
    const words = jsonIn(text(row, "alert_words"));
    if (!Array.isArray(words) || !isHere(row, "id")) continue;
    for (const word of words.slice(0, WORDS_MAX)) {
      if (typeof word === "string" && word.trim()) yield wordItem(idIn(row)!, word.trim());
    }
  }
  for await (const { row } of source.rows("zerver_userstatus")) {
    if (isHere(row, "user_profile")) yield statusItem(row, now, reader());
  }
  for await (const { row } of source.rows("zerver_savedsnippet")) {
    const saved_snippet_id = idIn(row);
    if (!isHere(row, "user_profile") || saved_snippet_id === undefined) continue;
    yield rowItem("saved_snippets", {
      user_id: int(row, "user_profile"),
      saved_snippet_id,
      title: truncated(text(row, "title") ?? "", SNIPPET_TITLE_LENGTH_MAX),
      content: truncated(text(row, "content") ?? "", MESSAGE_LENGTH_MAX),
      date_created: seconds(row, "date_created") ?? now,
    });
  }
  yield* viewItems(source, knownIds);
}

async function* organizationItems(source: ZulipExport, reporting: Reporting): AsyncIterable<Item> {
  for await (const { row } of source.rows("zerver_realmdomain")) {
    const [domain, id] = [(text(row, "domain") ?? "").toLowerCase(), idIn(row)];
    if (!/^[\p{L}\p{N}.-]{1,255}$/u.test(domain) || id === undefined) continue;
    const allow_subdomains = bool(row, "allow_subdomains") ?? false;
    yield rowItem("realm_domains", { domain, id, allow_subdomains });
  }
  let count = 0;
  for await (const { row, location } of source.rows("zerver_realmfilter")) {
    const id = idIn(row);
    const linkifierFields = linkifierOf(row);
    const hasFaults = Object.keys(linkifierFaults(linkifierFields)).length > 0;
    if (id === undefined || hasFaults || ++count > LINKIFIERS_MAX) {
      reporting.lost("A linkifier cannot be taken over.", location);
      continue;
    }
    yield rowItem("linkifiers", { id, order: int(row, "order") ?? id, ...linkifierFields });
  }
  count = 0;
  for await (const { row, location } of source.rows("zerver_realmplayground")) {
    const id = idIn(row);
    const url = text(row, "url_template") ?? `${text(row, "url_prefix") ?? ""}{code}`;
    const language = text(row, "pygments_language") ?? "";
    const hasFaults = Object.keys(playgroundFaults(language, url)).length > 0;
    if (id === undefined || hasFaults || ++count > PLAYGROUNDS_MAX) {
      reporting.lost("A code playground cannot be taken over.", location);
      continue;
    }
    const playground = { pygments_language: language, url_template: url };
    yield rowItem("playgrounds", { id, name: text(row, "name") ?? language, ...playground });
  }
}

function linkifierOf(row: ZulipRow) {
  // Up to version 7, templates used Python's format syntax.
  const oldTemplate = text(row, "url_format_string")?.replaceAll(/%\((\w{1,50})\)s/g, "{$1}");
  const alternatives = field(row, "alternative_url_templates");
  return {
    pattern: text(row, "pattern") ?? "",
    url_template: text(row, "url_template") ?? oldTemplate?.replaceAll("%%", "%") ?? "",
    example_input: text(row, "example_input") ?? null,
    reverse_template: text(row, "reverse_template") ?? null,
    alternative_url_templates: Array.isArray(alternatives)
      ? alternatives.filter((url): url is string => typeof url === "string")
      : [],
  };
}

async function* profileItems(
  source: ZulipExport,
  knownIds: KnownIds,
  reader: () => Reader,
  reporting: Reporting,
): AsyncIterable<Item> {
  const types = new Map<number, number>();
  for await (const { row, location } of source.rows("zerver_customprofilefield")) {
    const [id, originalType] = [idIn(row), int(row, "field_type") ?? 0];
    if (id === undefined || !isFieldType(originalType)) continue;
    const field_data = fieldDataIn(row, originalType);
    const type = field_data === undefined ? SHORT_TEXT : originalType;
    if (field_data === undefined) reporting.lost(INVALID_FIELD_DATA, location);
    types.set(id, type);
    yield rowItem("profile_fields", {
      ...{ id, type, order: int(row, "order") ?? id },
      name: nameIn(row, `field ${id}`, FIELD_NAME_LENGTH_MAX),
      hint: truncated(text(row, "hint") ?? "", FIELD_HINT_LENGTH_MAX),
      field_data: field_data ?? "",
      required: bool(row, "required") ?? false,
      editable_by_user: bool(row, "editable_by_user") ?? true,
      display_in_profile_summary: bool(row, "display_in_profile_summary") ?? false,
      use_for_user_matching: bool(row, "use_for_user_matching") ?? false,
    });
  }
  for await (const { row } of source.rows("zerver_customprofilefieldvalue")) {
    const [user_id, field_id] = [int(row, "user_profile") ?? 0, int(row, "field") ?? 0];
    const type = types.get(field_id);
    if (type === undefined || !knownIds.users.has(user_id)) continue;
    const value = type === PEOPLE ? peopleIn(row, knownIds) : (text(row, "value") ?? "");
    if (value === "" || value.length > MESSAGE_LENGTH_MAX) continue;
    const rendered_value = isMarkdown(type) ? renderedDescription(reader(), null, value) : null;
    yield rowItem("profile_values", { user_id, field_id, value, rendered_value });
  }
}

/** The options or the site of a field, as stored. Undefined if they are invalid. */
function fieldDataIn(row: ZulipRow, type: number): string | undefined {
  const data = jsonIn(text(row, "field_data"));
  try {
    return checkedData(type, isFields(data) ? data : {});
  } catch (error) {
    if (error instanceof Refusal) return undefined;
    throw error;
  }
}

/** The ids of the accounts that are imported, as stored; "" if there are none. */
function peopleIn(row: ZulipRow, { users }: KnownIds): string {
  const value = text(row, "value");
  const ids = value === undefined ? field(row, "value") : jsonIn(value);
  const known = Array.isArray(ids)
    ? ids.filter((id) => Number.isSafeInteger(id) && users.has(id))
    : [];
  return known.length === 0 ? "" : JSON.stringify(known);
}

function wordItem(user_id: number, word: string): Item {
  return rowItem("alert_words", { user_id, folded: foldedWord(word), word });
}

function statusItem(row: ZulipRow, now: number, { custom_emoji }: Reader): Item {
  const emoji = emojiIn(row, (id) => custom_emoji.get(id)?.name);
  return rowItem("user_statuses", {
    user_id: int(row, "user_profile"),
    status_text: truncated(text(row, "status_text") ?? "", 60),
    ...(emoji ?? { emoji_name: "", emoji_code: "", reaction_type: UNICODE_EMOJI }),
    timestamp: seconds(row, "timestamp") ?? now,
  });
}

/** Returns a row with all views for each user. */
async function* viewItems(source: ZulipExport, knownIds: KnownIds): AsyncIterable<Item> {
  const views = new Map<number, object[]>();
  for await (const { row } of source.rows("zerver_navigationview")) {
    const [user_id, fragment] = [int(row, "user") ?? 0, text(row, "fragment") ?? ""];
    if (!knownIds.users.has(user_id) || !fragment) continue;
    const is_pinned = bool(row, "is_pinned") ?? false;
    const view = { fragment, is_pinned, name: text(row, "name") ?? null };
    views.getOrInsertComputed(user_id, () => []).push(view);
  }
  for (const [user_id, list] of views) {
    yield rowItem("navigation_views", { user_id, views: objectsIn(list) });
  }
}
