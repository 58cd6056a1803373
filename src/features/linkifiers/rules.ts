// Validates linkifiers: the pattern and the templates must use the same variables.
import { patternFault, patternGroups } from "../../text/linkifiers.ts";
import {
  braceVariables,
  isHarmlessTemplate,
  templateVariables,
} from "../../text/templates/uri-template.ts";

export const LINKIFIERS_MAX = 200;
export const PATTERN_LENGTH_MAX = 1_000;
export const TEMPLATE_LENGTH_MAX = 1_000;
export const EXAMPLE_LENGTH_MAX = 1_000;
export const ALTERNATIVES_MAX = 20;

export interface LinkifierFields {
  pattern: string;
  url_template: string;
  example_input: string | null;
  reverse_template: string | null;
  alternative_url_templates: string[];
}

/** Errors by field. `__all__` is for combinations of fields. */
type Faults = Record<string, string[]>;

export function faultsOf(fields: LinkifierFields): Faults {
  const { pattern, url_template, reverse_template, alternative_url_templates } = fields;
  const faults: Faults = { ...patternFaults(pattern) };
  const variables = templateVariables(url_template);
  if (!variables || !isHarmlessTemplate(url_template)) faults["url_template"] = [TEMPLATE_FAULT];
  const reverse = reverse_template === null ? [] : braceVariables(reverse_template);
  if (!reverse) faults["reverse_template"] = ["Invalid reverse template."];
  const others = alternative_url_templates.map(templateVariables);
  const isHarmful = !alternative_url_templates.every(isHarmlessTemplate);
  if (others.includes(undefined) || isHarmful)
    faults["alternative_url_templates"] = [TEMPLATE_FAULT];
  if (Object.keys(faults).length > 0) return faults;

  const groups = patternGroups(pattern);
  const used = new Set([...variables!, ...reverse!, ...others.flatMap((names) => names!)]);
  const unknownName = [...used].find((name) => !groups.includes(name));
  if (unknownName !== undefined) return { __all__: [notInPattern(unknownName)] };
  const idle = groups.find((name) => !variables!.includes(name));
  return idle === undefined ? {} : { __all__: [notInTemplate(idle)] };
}

const TEMPLATE_FAULT = "Invalid URL template.";

const notInPattern = (name: string) =>
  `Group '${name}' in URL template is not present in linkifier pattern.`;
const notInTemplate = (name: string) =>
  `Group '${name}' in linkifier pattern is not present in URL template.`;

function patternFaults(pattern: string): Faults {
  const fault = pattern === "" ? "empty pattern" : patternFault(pattern);
  if (fault === undefined) return {};
  const reason = fault.replace("error parsing regexp: ", "");
  return { pattern: [`Bad regular expression: ${reason}`] };
}
