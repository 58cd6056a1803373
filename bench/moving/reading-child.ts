// Reads all rows that a JSONL export writes, and prints the duration in milliseconds.
import { join } from "node:path";
import { setLines } from "../../src/features/moving/jsonl/id-sets.ts";
import { EXPORTED_TABLES } from "../../src/features/moving/jsonl/shapes-rules.ts";
import { type Reader, schema } from "../../src/realm.ts";
import { openReading } from "../../src/store/copy/read-only.ts";

const [data = ""] = process.argv.slice(2);
const startedAt = performance.now();
const { tables, close } = openReading(join(data, "data.mdb"), schema);
// The tables of a copy are those of a Reader.
const reader = tables as unknown as Reader;
let count = 0;
for (const table of EXPORTED_TABLES) for (const _ of reader[table].range()) count += 1;
for (const _ of setLines(reader)) count += 1;
await close();
process.stdout.write(JSON.stringify({ count, ms: performance.now() - startedAt }));
