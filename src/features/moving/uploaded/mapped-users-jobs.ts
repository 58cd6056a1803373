// Endpoints for owners to list the users of an uploaded archive and to choose their addresses.
import Type from "typebox";
import { emailNotAnAddress } from "../../../contract/errors/people.ts";
import { importUserUnknown } from "../../../contract/errors/realm.ts";
import {
  importUserShape,
  type MappedUser,
  mappedUserShape,
} from "../../../contract/shapes/imports.ts";
import { list, nothing } from "../../../contract/shapes/value-types.ts";
import { defaulted, endpoint, oneOf, text } from "../../../endpoint.ts";
import type { Realm } from "../../../realm.ts";
import { isEmail } from "../../rights/rules.ts";
import { checkArchive, store, storedOf } from "./state.ts";
import { checkIsFree } from "./jobs.ts";

export const getImportUsers = endpoint({
  summary: "Get the users of an uploaded archive, and how they are mapped",
  tag: "Organization",
  params: {},
  answer: Type.Object({ users: list(importUserShape), mapped: list(mappedUserShape) }),
  run({ realm }) {
    const { users, mapped } = storedOf(realm);
    return { users, mapped };
  },
});

const role = oneOf("", "owner", "administrator", "moderator", "member", "guest");

/** If the address or role is empty, that of the archive is used. */
export const mapImportUser = endpoint({
  summary: "Choose the address and the role of a user in an uploaded archive",
  tag: "Organization",
  params: { archive: text, source: text, email: defaulted(text, ""), role: defaulted(role, "") },
  answer: nothing,
  run({ realm }, { archive, source, email, role: given }) {
    checkArchive(realm, archive);
    checkIsFree(realm);
    const { users, mapped } = storedOf(realm);
    if (!users.some((user) => user.source === source)) throw importUserUnknown();
    const address = email.trim();
    if (address !== "" && !isEmail(address)) throw emailNotAnAddress();
    const others = mapped.filter((user) => user.source !== source);
    const isSame = address === "" && given === "";
    const next: MappedUser = { source, email: address, role: given };
    store(realm, { mapped: isSame ? others : [...others, next] });
    return {};
  },
});

/** The chosen users as rows of a CSV file for `PeopleMap`. */
export function mappedRows(realm: Realm): string[][] {
  return storedOf(realm).mapped.map(({ source, email, role: given }) => [source, email, given]);
}
