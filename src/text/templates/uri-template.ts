// URL templates of RFC 6570, with values that are text: filled in, and held to be harmless.
import { parseTemplate } from "url-template";

/** A value that is missing leaves its place empty. */
export function expand(template: string, values: Readonly<Record<string, string>>): string {
  const { expand: expanded } = parseTemplate(template.toWellFormed());
  try {
    return expanded(each(values, (value) => value.toWellFormed()));
  } catch {
    // The library cuts a prefix in the middle of a character of two halves, and then fails.
    return expanded(each(values, (value) => value.replaceAll(/[\uD800-\uDFFF]+/g, "\uFFFD")));
  }
}

/** The values that are given, and none that every object has. */
function each(values: Readonly<Record<string, string>>, change: (value: string) => string) {
  const changed = Object.create(null) as Record<string, string>;
  for (const [name, value] of Object.entries(values)) changed[name] = change(value);
  return changed;
}

const VARIABLE = "[A-Za-z0-9_%.]+(?::[1-9][0-9]{0,3}|\\*)?";
const EXPRESSION = new RegExp(`^[+#./;?&]?${VARIABLE}(?:,${VARIABLE})*$`);

/** The names in a template; undefined when it is not one. */
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

/** Schemes under which a link runs what stands in it. */
const RUNNING = /^(?:javascript|data|vbscript):/i;
/** What browsers leave out of a scheme. */
const UNSEEN = /[\u0000-\u0020]/g;

/** Can no value make an address of it that runs as a program? Of what is a template. */
export function isHarmlessTemplate(template: string): boolean {
  const beginning = /^(?:[^{:/?#]|\{[^{}]*\})*/.exec(template)![0];
  const isFixed = !beginning.includes("{");
  if (isFixed) return !RUNNING.test(template.replace(UNSEEN, ""));
  // A value that may hold a colon, or one that a colon follows, makes a scheme of its own.
  const isOpen = /\{\+/.test(beginning) || template[beginning.length] === ":";
  return !isOpen;
}

/** The names in a text where `{name}` is a variable, `{{` a brace; undefined: it is none. */
export function braceVariables(text: string): string[] | undefined {
  const names = new Set<string>();
  const rest = text.replace(/\{\{|\}\}|\{([A-Za-z_][A-Za-z0-9_]*)\}/g, (_, name?: string) => {
    if (name !== undefined) names.add(name);
    return "";
  });
  return /[{}]/.test(rest) ? undefined : [...names];
}
