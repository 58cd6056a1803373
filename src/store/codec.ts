// Encodes records as the list of their field values, in the order of the schema.
import { Packr } from "msgpackr";

const packr = new Packr({ useRecords: false, variableMapSize: true, copyBuffers: true } as object);

export interface Codec<R> {
  encode(record: R): Uint8Array;
  decode(bytes: Uint8Array): R;
  /** Equivalent to decoding the encoded record, but cheaper. */
  copy(record: R): R;
}

/** Fields are append-only: a record from before a field existed has it undefined. */
export function codecOf<R>(fields: readonly string[]): Codec<R> {
  // Compiled at the first use: a start uses few of the tables.
  const compile = () => Object.assign(codec, compiledCodec<R>(fields));
  const codec: Codec<R> = {
    encode: (record) => compile().encode(record),
    decode: (bytes) => compile().decode(bytes),
    copy: (record) => compile().copy(record),
  };
  return codec;
}

function compiledCodec<R>(fields: readonly string[]): Codec<R> {
  const names = fields.map((name) => JSON.stringify(name));
  const make = new Function("a", `return {${names.map((n, i) => `${n}:a[${i}]`).join()}}`);
  const valuesOf = new Function("o", "of", `return [${names.map((n) => `of(o[${n}])`).join()}]`);
  const pick = new Function("o", "of", `return {${names.map((n) => `${n}:of(o[${n}])`).join()}}`);
  return {
    encode: (record) => packr.pack(valuesOf(record, storable)),
    decode: (bytes) => make(packr.unpack(bytes as Buffer)) as R,
    copy: (record) => pick(record, copyOfField) as R,
  };
}

export const msgpack: Pick<Codec<unknown>, "encode" | "decode"> = {
  encode: (value) => packr.pack(value),
  decode: (bytes) => packr.unpack(bytes as Buffer) as unknown,
};

/** Keys contain well-formed text, so records must be stored with the same text. */
const storable = (value: unknown) => (typeof value === "string" ? value.toWellFormed() : value);

const copyOfField = (value: unknown) => copyOf(storable(value));

function copyOf(value: unknown): unknown {
  if (typeof value === "number") return value + 0;
  if (typeof value === "boolean" || value === null || value === undefined) return value;
  if (typeof value === "string" && value.isWellFormed()) return value;
  if (Array.isArray(value)) return value.map(copyOf);
  if (isDictionary(value)) {
    const entries = Object.entries(value).map(([key, inner]) => [key, copyOf(inner)]);
    return Object.fromEntries(entries);
  }
  return msgpack.decode(msgpack.encode(value));
}

function isDictionary(value: unknown): value is Record<string, unknown> {
  if (typeof value !== "object" || Object.getPrototypeOf(value) !== Object.prototype) return false;
  return Object.keys(value as object).every((key) => key !== "__proto__" && key.isWellFormed());
}
