// Linkifiers turn text that matches a pattern into links: adding, changing and ordering them.
import Type from "typebox";
import { tooMany } from "../../contract/errors/channels.ts";
import {
  fieldsInvalid,
  linkifierNotFound,
  linkifiersDoubled,
  linkifiersIncomplete,
} from "../../contract/errors/realm.ts";
import { list, nothing } from "../../contract/shapes/value-types.ts";
import { linkifierShape } from "../../contract/shapes/organization.ts";
import { endpoint, int, json, optional, type Parameter, textOf } from "../../endpoint.ts";
import type { Writer } from "../../realm.ts";
import { isOrderOf, lastPlace } from "../realm/order-rules.ts";
import {
  ALTERNATIVES_MAX,
  EXAMPLE_LENGTH_MAX,
  faultsOf,
  LINKIFIERS_MAX,
  PATTERN_LENGTH_MAX,
  TEMPLATE_LENGTH_MAX,
  type LinkifierFields,
} from "./rules.ts";
import { linkifierObjects, linkifiersChanged, linkifiersInOrder } from "./wire.ts";

function createLinkifier(tx: Writer, fields: LinkifierFields): number {
  checkWording(tx, fields);
  if (tx.linkifiers.count() >= LINKIFIERS_MAX) throw tooMany("linkifiers", LINKIFIERS_MAX);

  const id = tx.next("linkifiers");
  tx.linkifiers.put({ id, order: lastPlace(tx.linkifiers.range()), ...fields });
  emitLinkifiers(tx);
  return id;
}

/** Absent fields are unchanged. */
function changeLinkifier(tx: Writer, id: number, requested: Partial<LinkifierFields>): void {
  const before = tx.linkifiers.get(id);
  if (!before) throw linkifierNotFound();
  const after = { ...before, ...requested };
  checkWording(tx, after, id);

  if (JSON.stringify(after) === JSON.stringify(before)) return;
  tx.linkifiers.put(after);
  emitLinkifiers(tx);
}

function deleteLinkifier(tx: Writer, id: number): void {
  if (!tx.linkifiers.has(id)) throw linkifierNotFound();

  tx.linkifiers.delete(id);
  emitLinkifiers(tx);
}

function orderLinkifiers(tx: Writer, ids: readonly number[]): void {
  const linkifiers = linkifiersInOrder(tx);
  if (new Set(ids).size !== ids.length) throw linkifiersDoubled();
  if (!isOrderOf(ids, linkifiers)) throw linkifiersIncomplete();

  if (linkifiers.every(({ id }, index) => id === ids[index])) return;
  for (const [order, id] of ids.entries()) {
    tx.linkifiers.put({ ...tx.linkifiers.get(id)!, order });
  }
  emitLinkifiers(tx);
}

function emitLinkifiers(tx: Writer): void {
  tx.emit(linkifiersChanged(linkifierObjects(tx)), { to: "realm" });
}

const pattern = textOf({ max: PATTERN_LENGTH_MAX, trimmed: true });
const template = textOf({ max: TEMPLATE_LENGTH_MAX, trimmed: true });
const alternatives = Type.Array(Type.String({ maxLength: TEMPLATE_LENGTH_MAX }), {
  maxItems: ALTERNATIVES_MAX,
});

const params = {
  pattern,
  url_template: template,
  example_input: optional(textOf({ max: EXAMPLE_LENGTH_MAX, trimmed: true })),
  reverse_template: optional(template),
  alternative_url_templates: optional(json(alternatives) as Parameter<string[]>),
};

type LinkifierParams = Pick<LinkifierFields, "pattern" | "url_template"> & {
  example_input: string | undefined;
  reverse_template: string | undefined;
  alternative_url_templates: string[] | undefined;
};

/** An empty text removes an optional template. */
function wordingOf(linkifierParams: LinkifierParams): Partial<LinkifierFields> {
  const { pattern, url_template, example_input, reverse_template } = linkifierParams;
  const { alternative_url_templates } = linkifierParams;
  return {
    pattern,
    url_template,
    ...(example_input !== undefined && { example_input: example_input || null }),
    ...(reverse_template !== undefined && { reverse_template: reverse_template || null }),
    ...(alternative_url_templates !== undefined && { alternative_url_templates }),
  };
}

const NONE = { example_input: null, reverse_template: null, alternative_url_templates: [] };

export const getLinkifiers = endpoint({
  summary: "List linkifiers",
  tag: "Organization",
  params: {},
  answer: Type.Object({ linkifiers: list(linkifierShape) }),
  run: ({ realm }) => ({ linkifiers: linkifierObjects(realm.read) }),
});

export const postLinkifier = endpoint({
  summary: "Add a linkifier",
  tag: "Organization",
  params,
  answer: Type.Object({ id: Type.Integer() }),
  run: ({ realm }, requested) => {
    const { pattern, url_template } = requested;
    const fields = { ...NONE, pattern, url_template, ...wordingOf(requested) };
    return realm.write((tx) => ({ id: createLinkifier(tx, fields) }));
  },
});

export const patchLinkifier = endpoint({
  summary: "Change a linkifier",
  tag: "Organization",
  params: { filter_id: int, ...params },
  answer: nothing,
  run: async ({ realm }, { filter_id, ...params }) => {
    await realm.write((tx) => changeLinkifier(tx, filter_id, wordingOf(params)));
    return {};
  },
});

export const removeLinkifier = endpoint({
  summary: "Remove a linkifier",
  tag: "Organization",
  params: { filter_id: int },
  answer: nothing,
  run: async ({ realm }, { filter_id }) => {
    await realm.write((tx) => deleteLinkifier(tx, filter_id));
    return {};
  },
});

export const patchLinkifierOrder = endpoint({
  summary: "Set the order of linkifiers",
  tag: "Organization",
  params: { ordered_linkifier_ids: json(Type.Array(Type.Integer())) },
  answer: nothing,
  run: async ({ realm }, { ordered_linkifier_ids }) => {
    await realm.write((tx) => orderLinkifiers(tx, ordered_linkifier_ids));
    return {};
  },
});

/** `id`: the linkifier that is to have this pattern. */
function checkWording(tx: Writer, fields: LinkifierFields, id?: number): void {
  const faults = faultsOf(fields);
  if (Object.keys(faults).length > 0) throw fieldsInvalid(faults);
  const duplicate = linkifiersInOrder(tx).find((other) => other.pattern === fields.pattern);
  if (!duplicate || duplicate.id === id) return;
  throw fieldsInvalid({ pattern: ["A linkifier with this pattern already exists."] });
}
