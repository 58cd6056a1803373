// How an endpoint is declared: the parameters it takes, the context it is given, what it answers.
import type { Static, TSchema } from "typebox";
import type { Realm } from "./realm.ts";
import type { ApiKey, Session } from "./records-people.ts";
import type { User } from "./records.ts";
import type { Hosts } from "./server/hosts.ts";
import type { FormFile } from "./server/multipart.ts";

/** How a parameter is written in a request. Only `int`, `bool` and `json` are JSON text. */
export type Form =
  | { readonly as: "text"; readonly limits: TextLimits }
  | { readonly as: "int"; readonly minimum: number }
  | { readonly as: "bool" }
  | { readonly as: "oneOf"; readonly values: readonly string[] }
  | { readonly as: "json"; readonly schema: TSchema };

export interface TextLimits {
  /** The most code points. */
  readonly max?: number;
  /** Surrounding white space is dropped before anything is tested. */
  readonly trimmed?: boolean;
  /** Nothing but white space is refused. */
  readonly filled?: boolean;
}

/** A parameter as declared; `T` is what the endpoint gets. */
export interface Parameter<T> {
  readonly form: Form;
  readonly required: boolean;
  readonly otherwise?: T;
  readonly alias?: string;
  /** For inference alone; no value has it. */
  readonly type?: [T];
}

export type Parameters = Readonly<Record<string, Parameter<unknown>>>;
export type ValuesOf<P> = { [K in keyof P]: P[K] extends Parameter<infer T> ? T : never };

/** A raw string. */
export const text: Parameter<string> = { form: { as: "text", limits: {} }, required: true };

/** A raw string within limits. */
export function textOf(limits: TextLimits): Parameter<string> {
  return { form: { as: "text", limits }, required: true };
}

/** A raw string that the endpoint interprets itself. */
export const anything: Parameter<string> = text;

export const int: Parameter<number> = {
  form: { as: "int", minimum: Number.MIN_SAFE_INTEGER },
  required: true,
};

/** An integer from 0 up. */
export const natural: Parameter<number> = { form: { as: "int", minimum: 0 }, required: true };

export const bool: Parameter<boolean> = { form: { as: "bool" }, required: true };

/** A raw string out of a few. */
export function oneOf<const V extends readonly string[]>(...values: V): Parameter<V[number]> {
  return { form: { as: "oneOf", values }, required: true };
}

/** JSON text of a shape. A list that may be left out may also come as an empty text or `null`. */
export function json<const S extends TSchema>(schema: S): Parameter<Static<S>> {
  return { form: { as: "json", schema }, required: true };
}

export function optional<T>(kind: Parameter<T>): Parameter<T | undefined> {
  return { form: kind.form, required: false, alias: kind.alias };
}

export function defaulted<T>(kind: Parameter<T>, value: NoInfer<T>): Parameter<T> {
  return { ...kind, required: false, otherwise: value };
}

/** A parameter that requests may also spell otherwise; giving both is refused. */
export function named<T>(alias: string, kind: Parameter<T>): Parameter<T> {
  return { ...kind, alias };
}

export interface Context {
  readonly realm: Realm;
  readonly user: User;
  /** What the request came with: an API key, or the cookie of a session. */
  readonly key: ApiKey | undefined;
  readonly session: Session | undefined;
  /** The name of the client program, as it calls itself. */
  readonly client: string;
  readonly request: Request;
  /** Which spelling of the doubled names the request uses. */
  readonly spelling: "zulip" | "service";
  /** The address that the request comes from. */
  readonly address: string;
  /** The other end of the connection: where a proxy stands before us, that one's address. */
  readonly peer: string;
  /** The organizations of this process. */
  readonly hosts: Hosts;
  /** Of a form that may bring some. */
  readonly files: readonly FormFile[];
}

/** What is known of a request to a host that no organization has. */
export interface HostContext extends Pick<Context, "hosts" | "request"> {
  readonly host: string;
  /** The address that the request comes from. */
  readonly address: string;
}

/** What an endpoint is given where nobody may be signed in. */
export type OpenContext = Omit<Context, "user" | "key"> & Partial<Pick<Context, "user" | "key">>;

/** The whole text of an answer, where an endpoint has put it together itself. */
export class JsonText {
  constructor(readonly text: string) {}
}

/**
 * The whole text of an answer that comes later, once the endpoint is done; what waits holds nothing
 * else of the request.
 */
export class LaterText {
  /** The server says what is made of the text, and who waits for that. */
  into!: (text: string) => Response;
  to!: (response: Response) => void;

  tell(text: string) {
    this.to(this.into(text));
  }
}

/** An object's fields stand beside `result` and `msg`; a Response goes out as it is. */
export type Answer = object | Response | JsonText | LaterText;

export type Body = "form" | "raw" | "files";

interface Declaration<P extends Parameters, C> {
  readonly params: P;
  /**
   * `raw`: the endpoint reads the body itself; parameters come from the path and the query.
   * `files`: a form, which may bring small files.
   */
  readonly body?: Body;
  run(context: C, params: ValuesOf<P>): Answer | Promise<Answer>;
}

export interface Endpoint {
  readonly open: false;
  readonly params: Parameters;
  readonly body: Body;
  run(context: Context, params: Record<string, unknown>): Answer | Promise<Answer>;
}

export interface OpenEndpoint {
  readonly open: true;
  readonly params: Parameters;
  readonly body: Body;
  run(context: OpenContext, params: Record<string, unknown>): Answer | Promise<Answer>;
  /** What it answers at a host that no organization has; without it the host is refused. */
  withoutRealm?(context: HostContext, params: Record<string, unknown>): Answer | Promise<Answer>;
}

export function endpoint<const P extends Parameters>(declared: Declaration<P, Context>): Endpoint {
  const run = declared.run as Endpoint["run"];
  return { open: false, params: declared.params, body: declared.body ?? "form", run };
}

/** An endpoint that answers also those who are not signed in. */
export function openEndpoint<const P extends Parameters>(
  declared: Declaration<P, OpenContext> & {
    withoutRealm?(context: HostContext, params: ValuesOf<P>): Answer | Promise<Answer>;
  },
): OpenEndpoint {
  const { params, body = "form" } = declared;
  const run = declared.run as OpenEndpoint["run"];
  const withoutRealm = declared.withoutRealm as OpenEndpoint["withoutRealm"];
  return { open: true, params, body, run, ...(withoutRealm && { withoutRealm }) };
}
