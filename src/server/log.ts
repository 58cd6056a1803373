// Structured logs: text for terminals, JSON lines otherwise.
import { fstatSync } from "node:fs";
import { type Config, type Level, LEVELS } from "../contract/config.ts";
import { Redaction, type Secretive } from "./insight/redact.ts";

const STANDARD_ERROR = 2;

/** Never contains keys, passwords or message content. */
type Fields = Readonly<Record<string, string | number | boolean | undefined>>;

export interface Log {
  /** Details for finding faults. */
  debug(message: string, fields?: Fields): void;
  info(message: string, fields?: Fields): void;
  warn(message: string, fields?: Fields): void;
  error(message: string, fields?: Fields): void;
}

/** Number of equal lines per minute; further ones are only counted. */
const SAME_MAX = 20;
const SAME_MS = 60_000;
const KINDS_MAX = 1_000;

/** Limits repeated lines, so that a recurring fault does not fill the disk. */
class LineFolding {
  private kinds = new Map<string, { since: number; count: number }>();

  /**
   * Returns undefined if the line is suppressed, else the number of lines suppressed in the
   * previous minute.
   */
  take(kind: string, now: number): number | undefined {
    const foldedLine = this.kinds.get(kind);
    if (foldedLine && now - foldedLine.since < SAME_MS) {
      foldedLine.count += 1;
      return foldedLine.count > SAME_MAX ? undefined : 0;
    }
    if (this.kinds.size >= KINDS_MAX) this.kinds.clear();
    this.kinds.set(kind, { since: now, count: 1 });
    return foldedLine ? Math.max(0, foldedLine.count - SAME_MAX) : 0;
  }
}

/**
 * Opens the log. `write` receives complete lines; by default they go to standard error. The level
 * is read for each line because it can change.
 */
export function openLog(
  config: Pick<Config, "log" | "log_level"> & Secretive,
  write = toStandardError,
): Log {
  const format = config.log;
  const folding = new LineFolding();
  const redaction = new Redaction(config);
  const isJournal = write === toStandardError && isTheJournal();
  const logLine = (level: Level, message: string, fields: Fields = {}) => {
    if (format === "off" || rankOf(level) < rankOf(config.log_level ?? "info")) return;
    const now = Date.now();
    // Warnings are about individual clients, which are rate-limited elsewhere, so each one is
    // logged.
    const isFolded = level === "error";
    const left_out = isFolded ? folding.take(`${message} ${fields["error"] ?? ""}`, now) : 0;
    if (left_out === undefined) return;
    const payload = { ...cleaned(redaction, fields), ...(left_out > 0 && { left_out }) };
    const time = new Date(now).toISOString();
    const line =
      format === "json"
        ? JSON.stringify({ time, level, message, ...payload })
        : asText(time, level, message, payload);
    write(`${isJournal ? `<${PRIORITIES[level]}>` : ""}${line}\n`);
  };
  return {
    debug: (message, fields) => logLine("debug", message, fields),
    info: (message, fields) => logLine("info", message, fields),
    warn: (message, fields) => logLine("warn", message, fields),
    error: (message, fields) => logLine("error", message, fields),
  };
}

/** syslog priorities. */
const PRIORITIES: Readonly<Record<Level, number>> = { debug: 7, info: 6, warn: 4, error: 3 };

/** Whether standard error is systemd's journal, which understands priorities. */
function isTheJournal(): boolean {
  const stream = process.env["JOURNAL_STREAM"];
  if (!stream) return false;
  const { dev, ino } = fstatSync(STANDARD_ERROR);
  return stream === `${dev}:${ino}`;
}

function cleaned(redaction: Redaction, fields: Fields): Fields {
  const payload: Record<string, Fields[string]> = {};
  for (const [name, value] of Object.entries(fields)) {
    payload[name] = typeof value === "string" ? redaction.clean(value) : value;
  }
  return payload;
}

const rankOf = (level: Level) => LEVELS.indexOf(level);

/** Returns the log fields of an error: name, message, cause and stack. */
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
  const entries = Object.entries(fields).filter(([, value]) => value !== undefined);
  const pairs = entries.map(([name, value]) => ` ${name}=${quoteValue(String(value))}`).join("");
  const trace = stack === undefined ? "" : `\n${stack}`;
  return `${time.slice(11, 19)} ${level.padEnd(5)} ${message}${pairs}${trace}`;
}

/** Escapes line breaks, so that a client cannot forge log lines. */
function quoteValue(value: string) {
  return /^[\w.:/@+-]+$/.test(value) ? value : JSON.stringify(value);
}

function toStandardError(line: string) {
  process.stderr.write(line);
}

/** Replaces all path parameters except numbers, because one-time links contain secrets there. */
export function loggedPath(
  path: string,
  schema: { readonly segments: readonly (string | undefined)[] } | undefined,
): string {
  const segments = schema?.segments ?? [];
  const parts = path.split("/").slice(0, segments.length);
  return parts.map((part, index) => segments[index] ?? (/^\d+$/.test(part) ? part : "…")).join("/");
}
