// The data of a profile field besides its name: options of a list, or the site of an account.
import { tooMany } from "../../contract/errors/channels.ts";
import { profileFieldInvalid, profileLinkInvalid } from "../../contract/errors/realm.ts";
import { CONSTANTS } from "../organization/setting-rules.ts";
import {
  ACCOUNT,
  CHOICE,
  CHOICE_LENGTH_MAX,
  CHOICES_MAX,
  isLink,
  LINK_LENGTH_MAX,
} from "./rules.ts";

type Data = Readonly<Record<string, unknown>>;
type Choices = Record<string, { text: string; order: string }>;

interface DefaultAccount {
  name: string;
  hint: string;
}

const CUSTOM = "custom";
const USERNAME = "%(username)s";

/** The stored form: JSON text, or empty for types without data. */
export function checkedData(type: number, data: Data): string {
  if (type === CHOICE) return JSON.stringify(checkedChoices(data));
  if (type === ACCOUNT) return JSON.stringify(checkedAccount(data));
  return "";
}

/** The keys of the options. */
export function choiceKeys(field_data: string): string[] {
  return Object.keys(JSON.parse(field_data) as Choices);
}

/** The account of a site that every server knows, with its fixed name. */
export function defaultAccountOf(type: number, field_data: string): DefaultAccount | undefined {
  if (type !== ACCOUNT) return undefined;
  return knownAccount((JSON.parse(field_data) as { subtype: string }).subtype);
}

function knownAccount(subtype: unknown): DefaultAccount | undefined {
  const accounts: Record<string, DefaultAccount> = CONSTANTS.realm_default_external_accounts;
  return typeof subtype === "string" && Object.hasOwn(accounts, subtype)
    ? accounts[subtype]
    : undefined;
}

function checkedChoices(data: Data): Choices {
  const entries = Object.entries(data);
  if (entries.length === 0) throw profileFieldInvalid("Field must have at least one choice.");
  if (entries.length > CHOICES_MAX) throw tooMany("choices", CHOICES_MAX);
  const choices = entries.map(([key, choice]) => {
    const location = `field_data[${JSON.stringify(key)}]`;
    if (typeof choice !== "object" || choice === null || Array.isArray(choice)) {
      throw profileFieldInvalid(`${location} is not a dict`);
    }
    const { text, order } = choice as Data;
    return [
      textWithin(key, "value"),
      {
        text: textWithin(text, `${location}["text"]`),
        order: textWithin(order, `${location}["order"]`),
      },
    ] as const;
  });
  const texts = new Set(choices.map(([, { text }]) => text));
  if (texts.size < choices.length) {
    throw profileFieldInvalid("Field must not have duplicate choices.");
  }
  return Object.fromEntries(choices);
}

function textWithin(input: unknown, location: string): string {
  if (typeof input !== "string") throw profileFieldInvalid(`${location} is not a string`);
  const text = input.trim();
  if (text === "") throw profileFieldInvalid(`${location} cannot be blank`);
  if ([...text].length <= CHOICE_LENGTH_MAX) return text;
  throw profileFieldInvalid(`${location} is too long (limit: ${CHOICE_LENGTH_MAX} characters)`);
}

function checkedAccount({ subtype, url_pattern }: Data) {
  if (knownAccount(subtype)) return { subtype };
  if (subtype !== CUSTOM) throw profileFieldInvalid("Invalid external account type");
  if (typeof url_pattern !== "string" || url_pattern === "") {
    throw profileFieldInvalid("Custom external account must define URL pattern");
  }
  if (url_pattern.split(USERNAME).length !== 2) {
    throw profileFieldInvalid("URL pattern must contain '%(username)s'.");
  }
  const fits = url_pattern.length <= LINK_LENGTH_MAX;
  if (!fits || !isLink(url_pattern.replace(USERNAME, "username"))) {
    throw profileLinkInvalid("url_pattern");
  }
  return { subtype, url_pattern };
}
