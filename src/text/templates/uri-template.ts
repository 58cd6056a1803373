// URL templates of RFC 6570, with values that are text (levels 1 to 3, and prefixes).

/** A value that is missing leaves its place empty. */
export function expand(template: string, values: Readonly<Record<string, string>>): string {
  return template.replace(PARTS, (text, expression: string | undefined) => {
    if (expression === undefined) return encoded(text, true);
    const style = STYLES[expression[0] ?? ""];
    const list = style === undefined ? expression : expression.slice(1);
    const { first, between, named, reserved } = style ?? PLAIN;
    const parts = list.split(",").flatMap((variable) => {
      const { name, length } = nameOf(variable);
      if (!Object.hasOwn(values, name)) return [];
      const value = encoded(shortened(values[name]!, length), reserved);
      if (named === undefined) return [value];
      return [value === "" ? name + named : `${name}=${value}`];
    });
    return parts.length === 0 ? "" : first + parts.join(between);
  });
}

/** An expression, or the text between two. */
const PARTS = /\{([^{}]*)\}|[^{}]+/g;

interface Style {
  first: string;
  between: string;
  /** What follows the name when the value is empty; undefined: no names. */
  named?: string;
  /** Signs that structure a URL stay as they are. */
  reserved: boolean;
}

const PLAIN: Style = { first: "", between: ",", reserved: false };

const STYLES: Readonly<Record<string, Style | undefined>> = {
  "+": { first: "", between: ",", reserved: true },
  "#": { first: "#", between: ",", reserved: true },
  ".": { first: ".", between: ".", reserved: false },
  "/": { first: "/", between: "/", reserved: false },
  ";": { first: ";", between: ";", named: "", reserved: false },
  "?": { first: "?", between: "&", named: "=", reserved: false },
  "&": { first: "&", between: "&", named: "=", reserved: false },
};

function nameOf(variable: string): { name: string; length: number | undefined } {
  const [name = "", length] = variable.replace(/\*$/, "").split(":");
  return { name, length: length === undefined ? undefined : Number(length) };
}

function shortened(value: string, length: number | undefined): string {
  return length === undefined ? value : Array.from(value).slice(0, length).join("");
}

function encoded(value: string, reserved: boolean): string {
  const text = value.toWellFormed();
  if (!reserved) return encodeURIComponent(text).replace(/[!'()*]/g, percent);
  const url = encodeURI(text).replaceAll("%5B", "[").replaceAll("%5D", "]");
  return url.replace(/%25([0-9A-Fa-f]{2})/g, "%$1");
}

function percent(sign: string): string {
  return `%${sign.charCodeAt(0).toString(16).toUpperCase()}`;
}

const VARIABLE = "[A-Za-z0-9_%.]+(?::[1-9][0-9]{0,3}|\\*)?";
const EXPRESSION = new RegExp(`^[+#./;?&]?${VARIABLE}(?:,${VARIABLE})*$`);

/** The names in a template; undefined when it is not one. */
export function templateVariables(template: string): string[] | undefined {
  const names = new Set<string>();
  for (const [, expression] of template.matchAll(/\{([^{}]*)\}/g)) {
    if (!EXPRESSION.test(expression!)) return undefined;
    const list = expression!.replace(/^[+#./;?&]/, "");
    for (const variable of list.split(",")) names.add(nameOf(variable).name);
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
