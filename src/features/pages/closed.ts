// The page of an organization that is deactivated, or not set up yet.
import { isClosed } from "../realm/access.ts";
import { REALM_ID } from "../realm/rules.ts";
import type { Realm } from "../../realm.ts";
import { type Looking, speechOf } from "../speech/choose.ts";
import { markup } from "../speech/markup.ts";
import { page } from "./page.ts";

const GONE = 410;

export const isHere = ({ read }: Realm): boolean => read.realm.has(REALM_ID) && !isClosed(read);

export function closedPage(looking: Looking & { readonly realm: Realm }): Response {
  const { say } = speechOf(looking);
  const [title, words] = looking.realm.read.realm.has(REALM_ID)
    ? (["closed", "closed-means"] as const)
    : (["no-organization", "no-organization-means"] as const);
  return page(looking, say(title), markup`<p>${say(words)}</p>`, GONE);
}
