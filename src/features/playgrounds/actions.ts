// Adds and removes playgrounds: sites that run code of a language.
import Type from "typebox";
import { tooMany } from "../../contract/errors/channels.ts";
import { fieldsInvalid, playgroundNotFound } from "../../contract/errors/realm.ts";
import { nothing } from "../../contract/shapes/value-types.ts";
import { endpoint, int, textOf } from "../../endpoint.ts";
import type { Writer } from "../../realm.ts";
import type { Playground } from "../../schema/records.ts";
import {
  faultsOf,
  PLAYGROUND_NAME_LENGTH_MAX,
  PLAYGROUNDS_MAX,
  PYGMENTS_LANGUAGE_LENGTH_MAX,
  TEMPLATE_LENGTH_MAX,
} from "./rules.ts";
import { playgroundsChanged } from "./wire.ts";

function addPlayground(tx: Writer, fields: Omit<Playground, "id">): number {
  const { name, pygments_language, url_template } = fields;
  const faults = faultsOf(pygments_language, url_template);
  if (Object.keys(faults).length > 0) throw fieldsInvalid(faults);
  const all = [...tx.playgrounds.range()];
  const isUsed = (other: Playground) =>
    other.name === name && other.pygments_language === pygments_language;
  if (all.some(isUsed)) {
    throw fieldsInvalid({ name: ["This language already has a playground of that name."] });
  }
  if (all.length >= PLAYGROUNDS_MAX) throw tooMany("playgrounds", PLAYGROUNDS_MAX);

  const id = tx.next("playgrounds");
  tx.playgrounds.put({ id, ...fields });
  tx.emit(playgroundsChanged(tx), { to: "realm" });
  return id;
}

/** Also resets the default code block language if this was the language's last playground. */
function removePlayground(tx: Writer, id: number): void {
  const playground = tx.playgrounds.get(id);
  if (!playground) throw playgroundNotFound();

  tx.playgrounds.delete(id);
  tx.emit(playgroundsChanged(tx), { to: "realm" });
  const { pygments_language: language } = playground;
  const hasOthers = [...tx.playgrounds.range()].some(
    (other) => other.pygments_language === language,
  );
  if (hasOthers || language !== tx.settings.default_code_block_language) return;
  const realm = tx.realm.get(1)!;
  const property = "default_code_block_language";
  tx.realm.put({ ...realm, settings: { ...realm.settings, [property]: "" } });
  tx.emit({ type: "realm", op: "update", property, value: "" }, { to: "realm" });
}

export const postPlayground = endpoint({
  summary: "Add a code playground",
  tag: "Organization",
  params: {
    name: textOf({ max: PLAYGROUND_NAME_LENGTH_MAX, trimmed: true, filled: true, line: true }),
    pygments_language: textOf({
      max: PYGMENTS_LANGUAGE_LENGTH_MAX,
      trimmed: true,
      filled: true,
    }),
    url_template: textOf({ max: TEMPLATE_LENGTH_MAX, trimmed: true }),
  },
  answer: Type.Object({ id: Type.Integer() }),
  run: ({ realm }, fields) => realm.write((tx) => ({ id: addPlayground(tx, fields) })),
});

export const deletePlayground = endpoint({
  summary: "Remove a code playground",
  tag: "Organization",
  params: { playground_id: int },
  answer: nothing,
  run: async ({ realm }, { playground_id }) => {
    await realm.write((tx) => removePlayground(tx, playground_id));
    return {};
  },
});
