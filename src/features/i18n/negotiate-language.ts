// Selects the language for a user: that of the account, the browser or the organization.
import type { Reader, Realm } from "../../realm.ts";
import type { User } from "../../schema/records.ts";
import { REALM_ID } from "../realm/rules.ts";
import { userSetting } from "../settings/rules.ts";
import { ENGLISH, type Translator, translatorFor } from "./translations.ts";

/** The visitor, as far as known. */
export interface Visitor {
  readonly request: Request;
  readonly realm?: Realm | undefined;
  readonly user?: User | undefined;
}

export function translatorOf({ request, realm, user }: Visitor): Translator {
  if (user) return userTranslator(user);
  return browserTranslator(request) ?? visitorTranslator(realm?.read);
}

/** The language of the user, if the server has it. */
export const userTranslator = (user: User): Translator =>
  translatorFor(userSetting(user, "default_language")) ?? ENGLISH;

/** The language for visitors without an account. */
export function visitorTranslator(reader: Reader | undefined): Translator {
  const language = reader?.realm.get(REALM_ID)?.settings.default_language;
  return (language === undefined ? undefined : translatorFor(language)) ?? ENGLISH;
}

/** Longer lists of languages are truncated. */
const LANGUAGES_MAX = 20;

/** The preferred language of `Accept-Language` among the supported ones. */
export function browserTranslator({ headers }: Request): Translator | undefined {
  const languageRanges = (headers.get("accept-language") ?? "")
    .split(",", LANGUAGES_MAX)
    .map((item) => {
      const [code, weight] = item.replaceAll(" ", "").split(";q=");
      return { code: code!, weight: weight === undefined ? 1 : Number(weight) };
    });
  const acceptedRanges = languageRanges
    .filter(({ weight }) => weight > 0)
    .sort((a, b) => b.weight - a.weight);
  return acceptedRanges.flatMap(({ code }) => translatorFor(code) ?? [])[0];
}
