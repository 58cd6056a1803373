/** Compares the tables with the recorded ones, since stored data must keep its meaning. */
import { existsSync } from "node:fs";
import { join } from "node:path";

/** The owner of a prefix: a table, bitmap set or index. Only a table has a key and fields. */
type Slot = { prefix: number; key: string[]; fields: string[] };
type Slots = Record<string, Slot>;

type Declared = {
  prefix: number;
  key?: readonly string[];
  fields?: readonly string[];
  kind?: "bitmap";
  journaled?: boolean;
  derived?: boolean;
  rows?: { prefix: number; key: readonly string[] };
  indexes?: Record<string, { prefix?: number; unique?: boolean }>;
};

const SCHEMA = join(import.meta.dir, "../../src/schema/schema.ts");
const RECORD = join(import.meta.dir, "../table-prefixes.json");
const COMMAND = "bun test/house/tables.ts";
/** The documentation page, and the place of the list of tables in it. */
export const STORAGE_PAGE = join(import.meta.dir, "../../docs/storage.md");
const LIST = /<!-- tables -->[^]*<!-- end of tables -->/;

/** The page with the list of currently declared tables. */
export async function storagePage(): Promise<string> {
  const { tables, bitmaps }: Record<string, Record<string, Declared>> = await import(SCHEMA);
  const all = Object.entries({ ...tables, ...bitmaps }).flatMap(([name, spec]) => read(name, spec));
  const lines = all.toSorted(([a], [b]) => a - b).map(([prefix, text]) => lineOf(prefix, text));
  const list = ["<!-- tables -->", "", ...lines, "", "<!-- end of tables -->"].join("\n");
  return (await Bun.file(STORAGE_PAGE).text()).replace(LIST, () => list);
}

/** Slots of the prefixes of a table or set. */
function read(name: string, spec: Declared): [number, string][] {
  if (spec.kind === "bitmap") return [[spec.prefix, `set \`${name}\``]];
  const { prefix, key = [] } = spec.rows ?? spec;
  const kind = spec.journaled ? "journaled table" : spec.derived ? "unstored table" : "table";
  const fields = (spec.fields ?? []).join(", ");
  const indexes = Object.entries(spec.indexes ?? {}).flatMap(([index, { prefix: own, unique }]) => {
    const text = `${unique ? "unique index" : "index"} \`${name}.${index}\``;
    return own === undefined ? [] : [[own, text] as [number, string]];
  });
  return [[prefix, `${kind} \`${name}\` by ${key.join(", ")}: ${fields}`], ...indexes];
}

const COLUMNS = 118;

function lineOf(prefix: number, text: string): string {
  const lines = [`- \`${prefix.toString(16).padStart(2, "0")}\` (${prefix})`];
  for (const word of text.split(" ")) {
    const extended = `${lines.at(-1)} ${word}`;
    if (extended.length <= COLUMNS) lines[lines.length - 1] = extended;
    else lines.push(`  ${word}`);
  }
  return lines.join("\n");
}

export async function declaredSlots(): Promise<[string, Slot][]> {
  const { tables, bitmaps }: Record<string, Record<string, Declared>> = await import(SCHEMA);
  return Object.entries({ ...tables, ...bitmaps }).flatMap(
    ([name, { prefix, key, fields, rows, indexes }]) => [
      [name, { prefix, key: [...(key ?? [])], fields: [...(fields ?? [])] }],
      ...(rows
        ? [[`${name}.rows`, { ...rows, key: [...rows.key], fields: [] }] as [string, Slot]]
        : []),
      ...Object.entries(indexes ?? {}).flatMap(([index, { prefix: own }]): [string, Slot][] =>
        own === undefined ? [] : [[`${name}.${index}`, { prefix: own, key: [], fields: [] }]],
      ),
    ],
  );
}

export async function recordedSlots(): Promise<Slots> {
  return existsSync(RECORD) ? await Bun.file(RECORD).json() : {};
}

/** Returns where the declared tables would misread data written by the recorded ones. */
export function prefixConflicts(declared: [string, Slot][], recorded: Slots) {
  const owners = [...declared, ...Object.entries(recorded)];
  return declared.flatMap(([name, { prefix, key, fields }]) => {
    const owner = owners.find(([other, slot]) => other !== name && slot.prefix === prefix)?.[0];
    const faults =
      owner === undefined ? [] : [`prefix ${prefix} belongs to ${owner}; take an unused one`];
    const before = recorded[name] ?? { prefix, key, fields };
    if (before.prefix !== prefix) faults.push(`prefix was ${before.prefix}, now ${prefix}`);
    if (before.key.join() !== key.join()) faults.push(`key was ${before.key}, now ${key}`);
    const moved = before.fields.findIndex((field, index) => fields[index] !== field);
    if (moved >= 0) faults.push(`field ${moved} was ${before.fields[moved]}; only append`);
    return faults.map((fault) => `src/schema/schema.ts  ${name}: ${fault}`);
  });
}

export function unrecordedTables(declared: [string, Slot][], recorded: Slots) {
  return declared
    .filter(([name, { fields }]) => fields.length > (recorded[name]?.fields.length ?? -1))
    .map(
      ([name]) =>
        `src/schema/schema.ts  ${name}: new, or has new fields; record them with: ${COMMAND}`,
    );
}

if (import.meta.main) {
  const declared = await declaredSlots();
  const recorded = await recordedSlots();
  const faults = prefixConflicts(declared, recorded);
  if (faults.length > 0) throw new Error(`nothing recorded\n${faults.join("\n")}`);
  const slots = Object.entries({ ...recorded, ...Object.fromEntries(declared) });
  slots.sort(([, a], [, b]) => a.prefix - b.prefix);
  await Bun.write(RECORD, JSON.stringify(Object.fromEntries(slots)));
  Bun.spawnSync([process.execPath, "fmt", "--no-script", RECORD]);
  await Bun.write(STORAGE_PAGE, await storagePage());
}
