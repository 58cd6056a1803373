// How an endpoint is declared: the parameters it takes, the context it is given, what it answers.
import type { Static, TSchema } from "typebox";
import type { ErrorCode } from "./contract/errors/general.ts";
import type { Realm } from "./realm.ts";
import type { ApiKey, Session } from "./schema/records-people.ts";
import type { User } from "./schema/records.ts";
import type { FormFile } from "./server/body/multipart.ts";
import type { Hosts } from "./server/hosts.ts";

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
  /** It has no line break, unless around it: the name of something. */
  readonly line?: boolean;
}

/** A parameter as declared; `T` is what the endpoint gets. */
export interface Parameter<T> {
  readonly form: Form;
  readonly required: boolean;
  readonly default?: T;
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

/** A raw string without line breaks: the name of something. */
export const line: Parameter<string> = textOf({ line: true });

/** A raw string that the endpoint interprets itself. */
export const rawText: Parameter<string> = text;

export const int: Parameter<number> = {
  form: { as: "int", minimum: Number.MIN_SAFE_INTEGER },
  required: true,
};

/** An integer from 0 up. */
export const nonNegativeInt: Parameter<number> = {
  form: { as: "int", minimum: 0 },
  required: true,
};

export const bool: Parameter<boolean> = { form: { as: "bool" }, required: true };

/** A raw string out of a few. */
export function oneOf<const V extends readonly string[]>(...values: V): Parameter<V[number]> {
  return { form: { as: "oneOf", values }, required: true };
}

/** JSON text of a shape. A list that may be left out may also come as an empty text or `null`. */
export function json<const S extends TSchema>(schema: S): Parameter<Static<S>> {
  return { form: { as: "json", schema }, required: true };
}

/** A parameter that a request may leave out. */
export type Spare<T> = Parameter<T> & { readonly required: false };

export function optional<T>(kind: Parameter<T>): Spare<T | undefined> {
  return { form: kind.form, required: false, alias: kind.alias };
}

export function defaulted<T>(kind: Parameter<T>, value: NoInfer<T>): Spare<T> {
  return { ...kind, required: false, default: value };
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

/**
 * The whole text of an answer, where an endpoint has put it together itself. `isNamed`: it bears
 * the id of its request, as all do but those of polls, which are asked for most.
 */
export class JsonText {
  constructor(
    readonly text: string,
    readonly isNamed = true,
  ) {}
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

/** The chapters of the API. */
export type Tag =
  | "Signing in"
  | "Devices"
  | "Events"
  | "Messages"
  | "Drafts"
  | "Scheduled messages"
  | "Channels"
  | "Topics"
  | "Subscriptions"
  | "People"
  | "Bots"
  | "Invitations"
  | "Organization"
  | "Groups"
  | "Files"
  | "Pictures"
  | "Pages"
  | "Server";

/** What stands in the documentation alone. */
interface Described {
  /** What it does, in a line. */
  readonly summary: string;
  readonly tag: Tag;
  /** The codes of refusals that are its own; what every endpoint may refuse goes without saying. */
  readonly refuses?: readonly ErrorCode[];
}

/** What an endpoint with this schema may give, or any answer of one that has none. */
type Given<S> = S extends TSchema ? Static<S> | Ready : Answer;
/** What is no object of fields any more. */
type Ready = Response | JsonText | LaterText;

interface Declaration<P extends Parameters, C, S> extends Described {
  readonly params: P;
  /**
   * `raw`: the endpoint reads the body itself; parameters come from the path and the query.
   * `files`: a form, which may bring small files.
   */
  readonly body?: Body;
  /** What stands beside `result` and `msg`; without it, it answers a page, a picture, a file. */
  readonly answer?: S;
  run(context: C, params: ValuesOf<P>): Given<S> | Promise<Given<S>>;
}

/** What an endpoint takes and answers, for those who call it; no value has it. */
export interface Typed<P, A> {
  readonly typed?: readonly [params: P, answer: A];
}

export interface Endpoint extends Described {
  readonly open: false;
  readonly params: Parameters;
  readonly body: Body;
  readonly answer: TSchema | undefined;
  run(context: Context, params: Record<string, unknown>): Answer | Promise<Answer>;
}

export interface OpenEndpoint extends Described {
  readonly open: true;
  readonly params: Parameters;
  readonly body: Body;
  readonly answer: TSchema | undefined;
  run(context: OpenContext, params: Record<string, unknown>): Answer | Promise<Answer>;
  /** What it answers at a host that no organization has; without it the host is refused. */
  withoutRealm?(context: HostContext, params: Record<string, unknown>): Answer | Promise<Answer>;
}

export function endpoint<const P extends Parameters, S extends TSchema | undefined = undefined>(
  declared: Declaration<P, Context, S>,
): Endpoint & Typed<P, AnswerOf<S>> {
  const { summary, tag, params, body = "form", answer, refuses = [] } = declared;
  const run = declared.run as Endpoint["run"];
  return { open: false, summary, tag, params, body, answer, refuses, run };
}

/** An endpoint that answers also those who are not signed in. */
export function openEndpoint<const P extends Parameters, S extends TSchema | undefined = undefined>(
  declared: Declaration<P, OpenContext, S> & {
    withoutRealm?(context: HostContext, params: ValuesOf<P>): Given<S> | Promise<Given<S>>;
  },
): OpenEndpoint & Typed<P, AnswerOf<S>> {
  const { summary, tag, params, body = "form", answer, refuses = [] } = declared;
  const run = declared.run as OpenEndpoint["run"];
  const withoutRealm = declared.withoutRealm as OpenEndpoint["withoutRealm"];
  const told = { open: true as const, summary, tag, params, body, answer, refuses, run };
  return { ...told, ...(withoutRealm && { withoutRealm }) };
}

type AnswerOf<S> = S extends TSchema ? Static<S> : Response;
