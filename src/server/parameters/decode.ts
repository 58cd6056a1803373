// Decodes raw parameters to what the endpoint declares, or throws the protocol's errors.
import { hasStackedMarks, MARKS_PER_CHARACTER_MAX } from "../../text/input/combining-marks.ts";
import type { TSchema } from "typebox";
import {
  confusingParameters,
  malformed,
  missingParameter,
  Refusal,
} from "../../contract/errors/general.ts";
import { nameHasStackedMarks } from "../../contract/errors/people.ts";
import { EXTRA_EMOJI_OTHER, inServiceSpelling } from "../../contract/names.ts";
import type { ParameterKind, Parameter, Parameters, TextLimits } from "../../endpoint.ts";
import { CSRF_FIELD } from "../caller/session.ts";
import type { RawParams } from "./raw.ts";
import { assertUnderstood, faultIn, isLonger, tooLong } from "./json.ts";

/** Accepted by every endpoint and never reported as unsupported. */
const IGNORED_PARAMETERS = new Set(["client", CSRF_FIELD]);

interface Slot {
  readonly name: string;
  readonly parameter: Parameter<unknown>;
  /** Accepted names of the parameter; the first is its own. */
  readonly spellings: readonly string[];
}

/**
 * The parameters of an endpoint outside of the path, in the form that decoding uses; computed at
 * the first request.
 */
export interface Slots {
  readonly slots: readonly Slot[];
  readonly names: ReadonlySet<string>;
  readonly serviceNames: ReadonlySet<string>;
}

export function parameterSlots(params: Parameters, inPath: readonly string[]): Slots {
  for (const { form } of Object.values(params)) {
    if (form.as === "json") assertUnderstood(form.schema);
  }
  const slots = Object.entries(params)
    .filter(([name]) => !inPath.includes(name))
    .map(([name, parameter]) => {
      const names = parameter.alias === undefined ? [name] : [name, parameter.alias];
      const spellings = [...new Set([...names, ...names.map(inServiceSpelling)])];
      return { name, parameter, spellings };
    });
  const names = slots.flatMap(({ spellings }) => spellings);
  const serviceNames = names.filter((name) => !(name in params) && name.includes("service_"));
  return { slots, names: new Set(names), serviceNames: new Set(serviceNames) };
}

/** Adds the decoded parameters to `values`. */
export function decodeInto(values: Record<string, unknown>, { slots }: Slots, input: RawParams) {
  let field = "";
  try {
    for (const { name, parameter, spellings } of slots) {
      field = name;
      const raw = rawOf(spellings, input);
      if (raw === undefined || isNothing(raw, parameter)) {
        if (parameter.required) throw missingParameter(name);
        values[name] = parameter.default;
      } else {
        values[name] = decoded(parameter.form, raw, name);
      }
    }
  } catch (error) {
    throw error instanceof Refusal ? error.withField(field) : error;
  }
}

/** Returns the sorted names of unknown parameters. */
export function ignoredOf({ names }: Slots, input: RawParams): string[] | undefined {
  let ignored: string[] | undefined;
  for (const name of input.keys()) {
    if (!names.has(name) && !IGNORED_PARAMETERS.has(name)) (ignored ??= []).push(name);
  }
  return ignored?.sort();
}

export function spellingOf({ serviceNames }: Slots, input: RawParams): "zulip" | "service" {
  for (const [name, raw] of input) {
    if (serviceNames.has(name) || raw === EXTRA_EMOJI_OTHER) return "service";
  }
  return "zulip";
}

/** Decodes a path parameter. Returns undefined if the path belongs to another route. */
export function decodedInPath({ form }: Parameter<unknown>, raw: string): unknown {
  if (form.as === "text") return raw;
  if (form.as === "oneOf") return form.values.includes(raw) ? raw : undefined;
  if (form.as !== "int" || !/^\d{1,16}$/.test(raw)) return undefined;
  const value = Number(raw);
  return Number.isSafeInteger(value) ? value : undefined;
}

function rawOf(spellings: readonly string[], input: RawParams): string | undefined {
  const [name = ""] = spellings;
  const raw = input.get(name);
  if (spellings.length === 1) return raw;
  const present = spellings.filter((spelling) => input.has(spelling));
  const [first = name, second] = present;
  if (second !== undefined) throw confusingParameters(first, second);
  return input.get(first);
}

/** An optional list may be empty text or `null`. */
function isNothing(raw: string, { form, required }: Parameter<unknown>) {
  if (required || (raw !== "" && raw !== "null") || form.as !== "json") return false;
  return (form.schema as { type?: string }).type === "array";
}

function decoded(form: ParameterKind, raw: string, name: string): unknown {
  switch (form.as) {
    case "text":
      return textWithin(form.limits, raw, name);
    case "int":
      return integer(raw, form.minimum, name);
    case "bool":
      if (raw === "true" || raw === "false") return raw === "true";
      parsed(raw, name);
      throw malformed(`${name} is not a boolean`);
    case "oneOf":
      if (form.values.includes(raw)) return raw;
      throw malformed(`Invalid ${name}`);
    case "json":
      return fitting(form.schema, parsed(raw, name), name);
  }
}

function textWithin(limits: TextLimits, raw: string, name: string): string {
  const { max, trimmed, filled, line } = limits;
  const value = trimmed ? raw.trim() : raw;
  if (filled && value.trim() === "") throw malformed(`${name} cannot be blank`);
  if (max !== undefined && isLonger(value, max)) throw malformed(tooLong(name, max));
  if (line && /[\r\n]/.test(value.trim())) throw malformed(`${name} must be a single line`);
  // Parameters with a length limit are new names. Others may name existing objects.
  if (line && max !== undefined && hasStackedMarks(value)) {
    throw nameHasStackedMarks(MARKS_PER_CHARACTER_MAX);
  }
  return value;
}

function integer(raw: string, minimum: number, name: string): number {
  const isDigits = /^-?(0|[1-9]\d*)$/.test(raw);
  const value = isDigits ? Number(raw) : parsed(raw, name);
  const isWritten = isDigits || /^\s*-?\d+\s*$/.test(raw);
  if (typeof value !== "number" || !isWritten) throw malformed(`${name} is not an integer`);
  if (value > Number.MAX_SAFE_INTEGER) throw malformed(`${name} is too large`);
  if (value < minimum) throw malformed(`${name} is too small`);
  return value + 0;
}

function fitting(schema: TSchema, value: unknown, name: string): unknown {
  const fault = faultIn(schema, value, name);
  if (fault !== undefined) throw malformed(fault);
  return value;
}

/** JSON can contain half of a surrogate pair, which is not valid text. */
const SURROGATE = /\\u[dD][89a-fA-F]/;

function parsed(raw: string, name: string): unknown {
  let isText = true;
  const withContext = (key: string, value: unknown) => {
    isText &&= key.isWellFormed() && (typeof value !== "string" || value.isWellFormed());
    return value;
  };
  let value: unknown;
  try {
    value = SURROGATE.test(raw) ? JSON.parse(raw, withContext) : JSON.parse(raw);
  } catch {
    throw malformed(`${name} is not valid JSON`);
  }
  if (!isText) throw malformed(`${name} is not valid JSON`);
  return value;
}
