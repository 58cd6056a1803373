// The few kinds of values that answers and events are made of, beside those of TypeBox itself.
import Type, { type Static, type TOptional, type TProperties, type TSchema } from "typebox";

/** A time in whole seconds since 1970; what is larger was meant in milliseconds. */
export const seconds = Type.Integer({ minimum: 0, maximum: 999_999_999_999 });

/** `null` where there is none. */
export const nullable = <const S extends TSchema>(schema: S) => Type.Union([schema, Type.Null()]);

/** A list that its reader leaves as it is. */
export const list = <const S extends TSchema>(item: S) =>
  Type.Unsafe<readonly Static<S>[]>(Type.Array(item));

/** An object with whatever keys, all of whose values are alike. */
export const dict = <const S extends TSchema>(value: S) =>
  Type.Unsafe<Readonly<Record<string, Static<S>>>>({ type: "object", additionalProperties: value });

/** One of several forms. */
export const either = <S extends TSchema[]>(...forms: [...S]) => Type.Union<S>(forms);

type Number<V> = V extends number ? number : V;

/** One of a few values. To the compiler a number is any: records do not tell them apart. */
export const choice = <const V extends (string | number)[]>(...values: V) =>
  Type.Unsafe<Number<V[number]>>(Type.Enum(values));

/** Fields of one kind. */
export const each = <const N extends readonly string[], S extends TSchema>(names: N, schema: S) =>
  Object.fromEntries(names.map((name) => [name, schema])) as Record<N[number], S>;

type Optional<F extends TProperties> = { [K in keyof F]: TOptional<F[K]> };

/** Fields of which each may be absent. */
export const partial = <F extends TProperties>(fields: F) =>
  Object.fromEntries(
    Object.entries(fields).map(([name, schema]) => [name, Type.Optional(schema)]),
  ) as Optional<F>;

type Prefixed<P extends string, F> = { [K in keyof F & string as `${P}${K}`]: F[K] };

/** Fields under longer names. */
export const prefixed = <P extends string, F extends TProperties>(prefix: P, fields: F) =>
  Object.fromEntries(
    Object.entries(fields).map(([name, schema]) => [prefix + name, schema]),
  ) as Prefixed<P, F>;

type Merged<G> = (
  G[keyof G] extends infer F ? (F extends F ? (is: F) => void : never) : never
) extends (is: infer All) => void
  ? All
  : never;

/** The fields of all groups together. */
export const merged = <G extends Record<string, TProperties>>(groups: G) =>
  Object.assign({}, ...Object.values(groups)) as Merged<G>;

type ChangeOf<F extends TProperties, M extends TProperties> = {
  [K in keyof F]: { property: K; value: Static<F[K]> } & { [N in keyof M]: Static<M[N]> };
}[keyof F];

/** The name of one of these fields as `property`, and its value. */
export const changeOf = <F extends TProperties, M extends TProperties = {}>(
  fields: F,
  beside: M = {} as M,
) =>
  Type.Unsafe<ChangeOf<F, M>>(
    Type.Union(
      Object.entries(fields).map(([name, value]) =>
        Type.Object({ ...beside, property: Type.Literal(name), value }),
      ),
    ),
  );

/** Nothing besides what every answer has. */
export const nothing = Type.Object({});
