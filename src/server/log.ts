// Structured logs: text for a terminal, lines of JSON for everything else.
import { type Config, type Level, LEVELS } from "../contract/config.ts";

/** Never keys, passwords or what people write. */
export type Fields = Readonly<Record<string, string | number | boolean | undefined>>;

export interface Log {
  /** What one needs to find a fault, and not every day. */
  debug(message: string, fields?: Fields): void;
  info(message: string, fields?: Fields): void;
  warn(message: string, fields?: Fields): void;
  error(message: string, fields?: Fields): void;
}

/**
 * `write` takes whole lines; without it they go to standard error. The level is looked up for each
 * line, as it may change.
 */
export function openLog(config: Pick<Config, "log" | "log_level">, write = toStandardError): Log {
  const format = config.log;
  const say = (level: Level, message: string, fields: Fields = {}) => {
    if (format === "off" || rankOf(level) < rankOf(config.log_level ?? "info")) return;
    const time = new Date().toISOString();
    const line =
      format === "json"
        ? JSON.stringify({ time, level, message, ...fields })
        : asText(time, level, message, fields);
    write(line + "\n");
  };
  return {
    debug: (message, fields) => say("debug", message, fields),
    info: (message, fields) => say("info", message, fields),
    warn: (message, fields) => say("warn", message, fields),
    error: (message, fields) => say("error", message, fields),
  };
}

const rankOf = (level: Level) => LEVELS.indexOf(level);

/** What a log says of an error: name, words, what caused it, and where it came from. */
export function fieldsOf(error: unknown): Fields {
  if (!(error instanceof Error)) return { error: String(error) };
  const { name, message, stack, cause } = error;
  return {
    error: `${name}: ${message}`,
    ...(cause !== undefined && { cause: wordsOf(cause) }),
    stack,
  };
}

function wordsOf(cause: unknown): string {
  const code = (cause as { code?: unknown } | null)?.code;
  return typeof code === "string" ? `${code}: ${String(cause)}` : String(cause);
}

function asText(time: string, level: Level, message: string, { stack, ...fields }: Fields) {
  const said = Object.entries(fields).filter(([, value]) => value !== undefined);
  const pairs = said.map(([name, value]) => ` ${name}=${quoted(String(value))}`).join("");
  const trace = stack === undefined ? "" : `\n${stack}`;
  return `${time.slice(11, 19)} ${level.padEnd(5)} ${message}${pairs}${trace}`;
}

/** One line stays one line, whatever a client made it say. */
function quoted(value: string) {
  return /^[\w.:/@+-]+$/.test(value) ? value : JSON.stringify(value);
}

function toStandardError(line: string) {
  process.stderr.write(line);
}

/** With nothing but numbers in the path's holes, where one-time links have their secrets. */
export function loggedPath(
  path: string,
  shape: { readonly segments: readonly (string | undefined)[] } | undefined,
): string {
  const segments = shape?.segments ?? [];
  const parts = path.split("/").slice(0, segments.length);
  return parts.map((part, at) => segments[at] ?? (/^\d+$/.test(part) ? part : "…")).join("/");
}
