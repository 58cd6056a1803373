// The actions of administrators on how a user signs in, and the texts that tell the user.

import type { Mail } from "../../mail/actions.ts";

export type AdministrationAct = Extract<Mail, { about: "administrator acted" }>["act"];

const WORDS = {
  link: "administrator-made-link",
  "sign-out": "administrator-signed-out",
  "two-factor": "administrator-disabled-two-factor",
} as const;

/** `name`: the administrator. */
export const wordsOfAct = (act: AdministrationAct): (typeof WORDS)[AdministrationAct] => WORDS[act];
