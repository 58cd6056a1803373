// Generates emoji-table.json with all emoji names by code: `bun src/text/make-emoji-table.ts`.
import { ownValue } from "./input/own-value.ts";
import source from "emoji-datasource/emoji.json";

/** The protocol's names come first, because clients include the same list. */
const PROTOCOL = `${import.meta.dir}/emoji-names.tsv`;

/** Names that neither the protocol nor the data source has. */
const FURTHER_NAMES: Readonly<Record<string, readonly string[]>> = {
  "1f604": ["big_smile"],
  "1f926": ["facepalm"],
};

interface Emoji {
  unified: string;
  short_names: string[];
  sort_order: number;
}

const protocol = new Map<string, string[]>();
for (const line of (await Bun.file(PROTOCOL).text()).split("\n")) {
  if (line === "" || line.startsWith("#")) continue;
  const [code, canonical, aliases] = line.split("\t") as [string, string, string];
  protocol.set(code, [canonical, ...aliases.split(",").filter((alias) => alias !== "")]);
}
const protocolCodes = new Set([...protocol.values()].flat());

const table: Record<string, string[]> = {};
const emoji = (source as Emoji[]).toSorted((a, b) => a.sort_order - b.sort_order);
for (const { unified, short_names } of emoji) {
  if (unified.startsWith("1F3F") && unified >= "1F3FB" && unified <= "1F3FF") continue;
  const code = unified.toLowerCase().replaceAll("-fe0f", "");
  const spellings = short_names.map((name) => name.replaceAll("-", "_").replace(/^_1$/, "-1"));
  const others = [...(ownValue(FURTHER_NAMES, code) ?? []), ...spellings].filter(
    (name) => !protocolCodes.has(name),
  );
  const names = [...(protocol.get(code) ?? []), ...others];
  for (const name of others) protocolCodes.add(name);
  if (names.length > 0) table[code] = names;
}
for (const code of protocol.keys()) if (!(code in table)) throw new Error(`no emoji ${code}`);
const lines = Object.entries(table).map(([code, names]) => `"${code}":${JSON.stringify(names)}`);
await Bun.write(`${import.meta.dir}/emoji-table.json`, `{\n${lines.join(",\n")}\n}\n`);
