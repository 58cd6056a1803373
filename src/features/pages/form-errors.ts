// Shows an error on a form that is displayed again, beside its field or at the top.
import { ownValue } from "../../text/input/own-value.ts";
import type { Refusal } from "../../contract/errors/general.ts";
import {
  codeWrong,
  emailNotAnAddress,
  emailTaken,
  fullNameHasInvalidCharacters,
  fullNameHasInvalidFormat,
  fullNameTaken,
  fullNameTooLong,
  fullNameTooShort,
  newPasswordTooWeak,
  passwordTooWeak,
} from "../../contract/errors/people.ts";
import {
  addressesTooMany,
  emailDisposable,
  emailNotAllowed,
  emailWithPlus,
  organizationUnknown,
  realmNameInvalid,
} from "../../contract/errors/realm.ts";
import { Html, markup } from "../i18n/markup.ts";
import type { Translator } from "../i18n/translations.ts";

/** Errors by the name of the field that must be corrected. */
const FIELDS: Readonly<Record<string, readonly Refusal[]>> = {
  code: [codeWrong()],
  email: [
    emailTaken(),
    emailNotAnAddress(),
    emailDisposable(),
    emailWithPlus(),
    emailNotAllowed(""),
  ],
  emails: [emailNotAnAddress(), addressesTooMany(0)],
  full_name: [
    fullNameTooShort(),
    fullNameTooLong(),
    fullNameHasInvalidCharacters(),
    fullNameHasInvalidFormat(),
    fullNameTaken(),
  ],
  name: [realmNameInvalid()],
  new_password: [newPasswordTooWeak()],
  password: [passwordTooWeak()],
  subdomain: [organizationUnknown()],
};

/** The body of a page with the error. If a field caused it, that field gets the focus. */
export function withError(translator: Translator, refusal: Refusal | undefined, body: Html): Html {
  if (refusal === undefined) return body;
  const text = translator.refusal(refusal);
  // Forms of the account page may share a field name.
  const occursOnce = (item: string) => body.text.split(` name="${item}"`).length === 2;
  const field = fieldsOf(refusal).find(occursOnce);
  if (field === undefined) return markup`<p class="refusal" role="alert">${text}</p>${body}`;
  const html = markup`<p class="refusal" id="refusal" role="alert">${text}</p>`;
  const rewriter = new HTMLRewriter().on("input", {
    element(node) {
      if (node.getAttribute("name") !== field) return void node.removeAttribute("autofocus");
      const hint = node.getAttribute("aria-describedby");
      node.setAttribute("aria-describedby", hint === null ? "refusal" : `refusal ${hint}`);
      node.setAttribute("aria-invalid", "true");
      node.setAttribute("autofocus", "");
      node.after(html.text, { html: true });
    },
  });
  return new Html(rewriter.transform(body.text));
}

function fieldsOf({ message }: Refusal): string[] {
  const isSame = (refusal: Refusal) => withoutValues(refusal.message) === withoutValues(message);
  return Object.keys(FIELDS).filter((field) => ownValue(FIELDS, field)!.some(isSame));
}

/** The message without quoted values and numbers. */
const withoutValues = (message: string): string =>
  message.replace(/'.*'/s, "''").replaceAll(/\d/g, "");
