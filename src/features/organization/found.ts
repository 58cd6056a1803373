// Founding an organization, by whatever road: it is made, it teaches, and its founder is led on.
import type { Writer } from "../../realm.ts";
import type { User } from "../../schema/records.ts";
import { leadThrough } from "../navigation/onboarding.ts";
import { createOrganization, type NewOrganization } from "./actions.ts";
import { teach } from "./teach.ts";

/** Gives its first owner. */
export function foundOrganization(tx: Writer, asked: NewOrganization): User {
  const owner = createOrganization(tx, asked);
  teach(tx);
  leadThrough(tx, owner);
  return owner;
}
