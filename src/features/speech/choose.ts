// In which language somebody is spoken to: their account's, their browser's, the organization's.
import type { Reader, Realm } from "../../realm.ts";
import type { User } from "../../schema/records.ts";
import { REALM_ID } from "../realm/rules.ts";
import { userSetting } from "../settings/rules.ts";
import { ENGLISH, type Speech, speechIn } from "./speech.ts";

/** The visitor, as far as known. */
export interface Looking {
  readonly request: Request;
  readonly realm?: Realm | undefined;
  readonly user?: User | undefined;
}

export function speechOf({ request, realm, user }: Looking): Speech {
  if (user) return speechTo(user);
  return browsersOf(request) ?? speechHere(realm?.read);
}

/** The language of the user, if the server has it. */
export const speechTo = (user: User): Speech =>
  speechIn(userSetting(user, "default_language")) ?? ENGLISH;

/** The language for visitors without an account. */
export function speechHere(reader: Reader | undefined): Speech {
  const language = reader?.realm.get(REALM_ID)?.settings.default_language;
  return (language === undefined ? undefined : speechIn(language)) ?? ENGLISH;
}

/** More languages than anybody reads. */
const LANGUAGES_MAX = 20;

/** The one of `Accept-Language` that is liked best of those that there are. */
export function browsersOf({ headers }: Request): Speech | undefined {
  const wanted = (headers.get("accept-language") ?? "").split(",", LANGUAGES_MAX).map((one) => {
    const [code, weight] = one.replaceAll(" ", "").split(";q=");
    return { code: code!, weight: weight === undefined ? 1 : Number(weight) };
  });
  const liked = wanted.filter(({ weight }) => weight > 0).sort((a, b) => b.weight - a.weight);
  return liked.flatMap(({ code }) => speechIn(code) ?? [])[0];
}
