// The page of an organization that is deactivated, or not set up yet.
import { isDeactivated } from "../realm/access.ts";
import { REALM_ID } from "../realm/rules.ts";
import type { Realm } from "../../realm.ts";
import { type Visitor, translatorOf } from "../i18n/negotiate-language.ts";
import { markup } from "../i18n/markup.ts";
import { page } from "./page.ts";

const REMOVED = 410;

export const isActive = ({ read }: Realm): boolean =>
  read.realm.has(REALM_ID) && !isDeactivated(read);

export function closedPage(visitor: Visitor & { readonly realm: Realm }): Response {
  const { translate } = translatorOf(visitor);
  const [title, words] = visitor.realm.read.realm.has(REALM_ID)
    ? (["closed", "closed-means"] as const)
    : (["no-organization", "no-organization-means"] as const);
  return page(visitor, translate(title), markup`<p>${translate(words)}</p>`, REMOVED);
}
