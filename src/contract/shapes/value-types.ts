// Value types used in responses and events, in addition to those of TypeBox.
import Type, { type Static, type TOptional, type TProperties, type TSchema } from "typebox";

/** Unix time in seconds. The upper limit catches milliseconds. */
export const seconds = Type.Integer({ minimum: 0, maximum: 999_999_999_999 });

/** The schema, or `null`. */
export const nullable = <const S extends TSchema>(schema: S) => Type.Union([schema, Type.Null()]);

/** A read-only list. */
export const list = <const S extends TSchema>(item: S) =>
  Type.Unsafe<readonly Static<S>[]>(Type.Array(item));

/** An object with arbitrary keys whose values have the same schema. */
export const dict = <const S extends TSchema>(value: S) =>
  Type.Unsafe<Readonly<Record<string, Static<S>>>>({ type: "object", additionalProperties: value });

/** A union of schemas. */
export const unionOf = <S extends TSchema[]>(...forms: [...S]) => Type.Union<S>(forms);

type Number<V> = V extends number ? number : V;

/** An enumeration. Numbers are typed as `number`, because records do not distinguish them. */
export const choice = <const V extends (string | number)[]>(...values: V) =>
  Type.Unsafe<Number<V[number]>>(Type.Enum(values));

/** Several fields of the same schema. */
export const sameSchema = <const N extends readonly string[], S extends TSchema>(
  names: N,
  schema: S,
) => Object.fromEntries(names.map((name) => [name, schema])) as Record<N[number], S>;

type Optional<F extends TProperties> = { [K in keyof F]: TOptional<F[K]> };

/** Optional fields. */
export const partial = <F extends TProperties>(fields: F) =>
  Object.fromEntries(
    Object.entries(fields).map(([name, schema]) => [name, Type.Optional(schema)]),
  ) as Optional<F>;

type PrefixedFields<P extends string, F> = { [K in keyof F & string as `${P}${K}`]: F[K] };

/** Fields with a prefix before their names. */
export const withPrefix = <P extends string, F extends TProperties>(prefix: P, fields: F) =>
  Object.fromEntries(
    Object.entries(fields).map(([name, schema]) => [prefix + name, schema]),
  ) as PrefixedFields<P, F>;

type MergedFields<G> = (
  G[keyof G] extends infer F ? (F extends F ? (is: F) => void : never) : never
) extends (is: infer All) => void
  ? All
  : never;

/** The fields of several groups in one object. */
export const mergeGroups = <G extends Record<string, TProperties>>(groups: G) =>
  Object.assign({}, ...Object.values(groups)) as MergedFields<G>;

type ChangeOf<F extends TProperties, M extends TProperties> = {
  [K in keyof F]: { property: K; value: Static<F[K]> } & { [N in keyof M]: Static<M[N]> };
}[keyof F];

/** A change event: the name of one of the fields as `property`, and its value. */
export const changeOf = <F extends TProperties, M extends TProperties = {}>(
  fields: F,
  moreFields: M = {} as M,
) =>
  Type.Unsafe<ChangeOf<F, M>>(
    Type.Union(
      Object.entries(fields).map(([name, value]) =>
        Type.Object({ ...moreFields, property: Type.Literal(name), value }),
      ),
    ),
  );

/** A response without fields of its own. */
export const nothing = Type.Object({});
