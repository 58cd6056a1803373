// Schemas of permissions.
import Type from "typebox";
import { unionOf, list } from "./value-types.ts";

/** A group, or an unnamed set of users and groups. */
export const grantedShape = unionOf(
  Type.Integer(),
  Type.Object({ direct_members: list(Type.Integer()), direct_subgroups: list(Type.Integer()) }),
);
type PermissionShapes<N extends string> = { [K in N as `${K}_group`]: typeof grantedShape };

/** The value of each permission, by name. */
export const granted = <const N extends string>(...names: N[]) =>
  Object.fromEntries(names.map((name) => [`${name}_group`, grantedShape])) as PermissionShapes<N>;
