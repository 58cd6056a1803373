// Records as bytes: the list of their fields' values, in the order that the schema gives.
import { Packr } from "msgpackr";

const packr = new Packr({ useRecords: false, variableMapSize: true, copyBuffers: true } as object);

export interface Codec<R> {
  encode(record: R): Uint8Array;
  decode(bytes: Uint8Array): R;
}

/** Fields are append-only: a record written before a field existed has it undefined. */
export function codecOf<R>(fields: readonly string[]): Codec<R> {
  const names = fields.map((name) => JSON.stringify(name));
  const make = new Function("a", `return {${names.map((n, i) => `${n}:a[${i}]`).join()}}`);
  const take = new Function("o", "of", `return [${names.map((n) => `of(o[${n}])`).join()}]`);
  return {
    encode: (record) => packr.pack(take(record, storable)),
    decode: (bytes) => make(packr.unpack(bytes as Buffer)) as R,
  };
}

export const plain: Codec<unknown> = {
  encode: (value) => packr.pack(value),
  decode: (bytes) => packr.unpack(bytes as Buffer) as unknown,
};

/** A key is of well-formed text, and a record must come back with the text that its keys are of. */
const storable = (value: unknown) => (typeof value === "string" ? value.toWellFormed() : value);
