// Rules of code playgrounds: sites on which code of one language can be run.
import { isHarmlessTemplate, templateVariables } from "../../text/templates/uri-template.ts";

export const PLAYGROUNDS_MAX = 200;
export const PLAYGROUND_NAME_LENGTH_MAX = 60;
export const PYGMENTS_LANGUAGE_LENGTH_MAX = 40;
export const TEMPLATE_LENGTH_MAX = 1_000;

/** The template variable that is replaced with the code. */
const CODE = "code";
const LANGUAGE = /^[A-Za-z0-9_+\-./# ]*$/;

/** Errors by field. */
export function faultsOf(pygments_language: string, url_template: string) {
  const faults: Record<string, string[]> = {};
  if (!LANGUAGE.test(pygments_language)) {
    faults["pygments_language"] = ["Invalid characters in pygments language"];
  }
  const variables = templateVariables(url_template);
  if (!variables || !isHarmlessTemplate(url_template))
    faults["url_template"] = ["Invalid URL template."];
  else if (!variables.includes(CODE)) {
    faults["url_template"] = ['Missing the required variable "code" in the URL template'];
  } else if (variables.length > 1) {
    faults["url_template"] = ['"code" should be the only variable present in the URL template'];
  }
  return faults;
}
