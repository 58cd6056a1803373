// Templates with placeholders for JSON values: `{{path.to.field}}`, and nothing else.

export const TEMPLATE_LENGTH_MAX = 10_000;
/** Longer than any message; longer results are truncated. */
export const FILLED_LENGTH_MAX = 20_000;
const PLACEHOLDERS_MAX = 200;
const PLACEHOLDER = /\{\{([^{}]{0,300})\}\}/g;

/** Missing values become empty text; lists and objects become JSON. */
export function filledTemplate(template: string, values: unknown): string {
  let filled = "";
  let from = 0;
  let position = 0;
  for (const { 0: location, 1: path = "", index } of template.matchAll(PLACEHOLDER)) {
    filled += template.slice(from, index);
    from = index + location.length;
    filled += textAt(values, path);
    if (++position === PLACEHOLDERS_MAX || filled.length > FILLED_LENGTH_MAX) break;
  }
  return (filled + template.slice(from)).slice(0, FILLED_LENGTH_MAX).toWellFormed();
}

/** Reads a path such as `items.0.name`; returns "" if it does not exist. */
export function textAt(values: unknown, path: string): string {
  const value = path
    .split(".")
    .reduce<unknown>((inner, step) => fieldOf(inner, step.trim()), values);
  if (typeof value === "string") return value.slice(0, FILLED_LENGTH_MAX);
  if (value === undefined || value === null) return "";
  return JSON.stringify(value).slice(0, FILLED_LENGTH_MAX);
}

function fieldOf(value: unknown, step: string): unknown {
  if (typeof value !== "object" || value === null) return undefined;
  if (Array.isArray(value) && !/^\d+$/.test(step)) return undefined;
  return Object.hasOwn(value, step) ? (value as Record<string, unknown>)[step] : undefined;
}
