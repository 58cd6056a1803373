// RFC 6570 URL templates with text values: expansion, and a check that results are harmless.
import { parseTemplate } from "url-template";

/** Missing values become empty text. */
export function expand(template: string, values: Readonly<Record<string, string>>): string {
  const { expand: expanded } = parseTemplate(template.toWellFormed());
  try {
    return expanded(each(values, (value) => value.toWellFormed()));
  } catch {
    // The library cuts prefixes inside a surrogate pair and then throws.
    return expanded(each(values, (value) => value.replaceAll(/[\uD800-\uDFFF]+/g, "\uFFFD")));
  }
}

/** Copies the given values, without inherited properties. */
function each(values: Readonly<Record<string, string>>, change: (value: string) => string) {
  const escapedValues = Object.create(null) as Record<string, string>;
  for (const [name, value] of Object.entries(values)) escapedValues[name] = change(value);
  return escapedValues;
}

const VARIABLE = "[A-Za-z0-9_%.]+(?::[1-9][0-9]{0,3}|\\*)?";
const EXPRESSION = new RegExp(`^[+#./;?&]?${VARIABLE}(?:,${VARIABLE})*$`);

/** Returns the variable names of a template; undefined if it is invalid. */
export function templateVariables(template: string): string[] | undefined {
  const names = new Set<string>();
  for (const [, expression] of template.matchAll(/\{([^{}]*)\}/g)) {
    if (!EXPRESSION.test(expression!)) return undefined;
    const list = expression!.replace(/^[+#./;?&]/, "");
    for (const variable of list.split(",")) names.add(variable.replace(/(?::\d+|\*)$/, ""));
  }
  if (/[{}]/.test(template.replace(/\{[^{}]*\}/g, ""))) return undefined;
  return [...names];
}

/** Schemes whose links execute code. */
const EXECUTABLE_SCHEME = /^(?:javascript|data|vbscript):/i;
/** Characters that browsers ignore in a scheme. */
const UNSEEN = /[\u0000-\u0020]/g;

/** Whether no value can turn the result into a link that executes code. */
export function isHarmlessTemplate(template: string): boolean {
  const beginning = /^(?:[^{:/?#]|\{[^{}]*\})*/.exec(template)![0];
  const isFixed = !beginning.includes("{");
  if (isFixed) return !EXECUTABLE_SCHEME.test(template.replace(UNSEEN, ""));
  // A value that may contain a colon, or is followed by one, can form a scheme.
  const isOpen = /\{\+/.test(beginning) || template[beginning.length] === ":";
  return !isOpen;
}

/**
 * Returns the names in a text where `{name}` is a variable and `{{` a brace; undefined if it is
 * invalid.
 */
export function braceVariables(text: string): string[] | undefined {
  const names = new Set<string>();
  const rest = text.replace(/\{\{|\}\}|\{([A-Za-z_][A-Za-z0-9_]*)\}/g, (_, name?: string) => {
    if (name !== undefined) names.add(name);
    return "";
  });
  return /[{}]/.test(rest) ? undefined : [...names];
}
