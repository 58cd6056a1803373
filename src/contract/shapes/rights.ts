// Who may do something, as clients see it.
import Type from "typebox";
import { either, list } from "./kinds.ts";

/** A group, or people and groups that have no name of their own. */
export const grantedShape = either(
  Type.Integer(),
  Type.Object({ direct_members: list(Type.Integer()), direct_subgroups: list(Type.Integer()) }),
);
type Granted<N extends string> = { [K in N as `${K}_group`]: typeof grantedShape };

/** Who may do what, by the name of each right. */
export const granted = <const N extends string>(...names: N[]) =>
  Object.fromEntries(names.map((name) => [`${name}_group`, grantedShape])) as Granted<N>;
