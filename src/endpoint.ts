// Declares endpoints: their parameters, context and response.
import type { Static, TSchema } from "typebox";
import type { ErrorCode } from "./contract/errors/general.ts";
import type { Realm } from "./realm.ts";
import type { ApiKey, Session } from "./schema/records-people.ts";
import type { User } from "./schema/records.ts";
import type { FormFile } from "./server/body/multipart.ts";
import type { Hosts } from "./server/hosts.ts";

/** The encoding of a parameter in a request. Only `int`, `bool` and `json` are JSON text. */
export type ParameterKind =
  | { readonly as: "text"; readonly limits: TextLimits }
  | { readonly as: "int"; readonly minimum: number }
  | { readonly as: "bool" }
  | { readonly as: "oneOf"; readonly values: readonly string[] }
  | { readonly as: "json"; readonly schema: TSchema };

export interface TextLimits {
  /** Maximum number of code points. */
  readonly max?: number;
  /** Removes surrounding white space before validation. */
  readonly trimmed?: boolean;
  /** Rejects text that is only white space. */
  readonly filled?: boolean;
  /** Rejects line breaks, except around the text. For names. */
  readonly line?: boolean;
}

/** A declared parameter. `T` is the type that the endpoint receives. */
export interface Parameter<T> {
  readonly form: ParameterKind;
  readonly required: boolean;
  readonly default?: T;
  readonly alias?: string;
  /** For type inference only; never has a value. */
  readonly type?: [T];
}

export type Parameters = Readonly<Record<string, Parameter<unknown>>>;
export type ValuesOf<P> = { [K in keyof P]: P[K] extends Parameter<infer T> ? T : never };

/** Raw text. */
export const text: Parameter<string> = { form: { as: "text", limits: {} }, required: true };

/** Raw text with limits. */
export function textOf(limits: TextLimits): Parameter<string> {
  return { form: { as: "text", limits }, required: true };
}

/** Raw text without line breaks, for names. */
export const line: Parameter<string> = textOf({ line: true });

/** Raw text that the endpoint parses itself. */
export const rawText: Parameter<string> = text;

export const int: Parameter<number> = {
  form: { as: "int", minimum: Number.MIN_SAFE_INTEGER },
  required: true,
};

/** An integer of 0 or more. */
export const nonNegativeInt: Parameter<number> = {
  form: { as: "int", minimum: 0 },
  required: true,
};

export const bool: Parameter<boolean> = { form: { as: "bool" }, required: true };

/** Raw text that must be one of these values. */
export function oneOf<const V extends readonly string[]>(...values: V): Parameter<V[number]> {
  return { form: { as: "oneOf", values }, required: true };
}

/** JSON text that matches a schema. An optional list may also be an empty text or `null`. */
export function json<const S extends TSchema>(schema: S): Parameter<Static<S>> {
  return { form: { as: "json", schema }, required: true };
}

export type OptionalParameter<T> = Parameter<T> & { readonly required: false };

export function optional<T>(kind: Parameter<T>): OptionalParameter<T | undefined> {
  return { form: kind.form, required: false, alias: kind.alias };
}

export function defaulted<T>(kind: Parameter<T>, value: NoInfer<T>): OptionalParameter<T> {
  return { ...kind, required: false, default: value };
}

/** A parameter with an alternative name. A request with both names is rejected. */
export function withAlias<T>(alias: string, kind: Parameter<T>): Parameter<T> {
  return { ...kind, alias };
}

export interface Context {
  readonly realm: Realm;
  readonly user: User;
  /** The API key or session that authenticated the request. */
  readonly key: ApiKey | undefined;
  readonly session: Session | undefined;
  /** The name of the client program, as it reports it. */
  readonly client: string;
  readonly request: Request;
  /** The spelling that the request uses for names with two spellings. */
  readonly spelling: "zulip" | "service";
  /** The address that the request comes from. */
  readonly address: string;
  /** The address of the connection's other end: that of the proxy, if there is one. */
  readonly peer: string;
  /** The organizations of this process. */
  readonly hosts: Hosts;
  /** Uploaded files of a form. */
  readonly files: readonly FormFile[];
}

/** Context of a request to a host without an organization. */
export interface HostContext extends Pick<Context, "hosts" | "request"> {
  readonly host: string;
  /** The client's IP address. */
  readonly address: string;
}

/** Context of an endpoint that does not require authentication. */
export type OpenContext = Omit<Context, "user" | "key"> & Partial<Pick<Context, "user" | "key">>;

/** The part of the context that pages of the server need. */
export type PageRequest = Pick<OpenContext, "realm" | "request">;

/**
 * A response body that the endpoint serialized itself. `isNamed`: includes the request id, as all
 * responses do except polls, which are the most frequent.
 */
export class JsonText {
  constructor(
    readonly text: string,
    readonly isNamed = true,
  ) {}

  /** Joins the texts of a list's items. */
  static ofList(texts: readonly string[]): JsonText {
    return new JsonText(`[${texts.join()}]`);
  }
}

/**
 * A response body that follows later. While it waits, it references nothing else of the request.
 */
export class LaterText {
  /** Set by the server: turns the text into a response and sends it. */
  toResponse!: (text: string) => Response;
  to!: (response: Response) => void;

  respond(text: string) {
    this.to(this.toResponse(text));
  }
}

/** An object becomes the fields beside `result` and `msg`; a Response is sent unchanged. */
export type EndpointResult = object | Response | JsonText | LaterText;

type Body = "form" | "raw" | "files";

/** Sections of the API documentation. */
type Tag =
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

interface EndpointDescription {
  readonly summary: string;
  readonly tag: Tag;
  /** Error codes of this endpoint, without those that every endpoint can return. */
  readonly refuses?: readonly ErrorCode[];
}

/** The result type of an endpoint: its response schema, or any response without one. */
type ResultFor<S> = S extends TSchema ? Static<S> | CompleteResponse : EndpointResult;
/** A complete response. */
type CompleteResponse = Response | JsonText | LaterText;

interface Declaration<P extends Parameters, C, S> extends EndpointDescription {
  readonly params: P;
  /**
   * `raw`: the endpoint reads the body itself; parameters come from the path and query. `files`: a
   * form that may include small files.
   */
  readonly body?: Body;
  /**
   * Schema of the fields beside `result` and `msg`. Without it, the endpoint returns a page, an
   * image or a file.
   */
  readonly answer?: S;
  run(context: C, params: ValuesOf<P>): ResultFor<S> | Promise<ResultFor<S>>;
}

/** Types of parameters and response for callers; never has a value. */
export interface TypedEndpoint<P, A> {
  readonly typed?: readonly [params: P, answer: A];
}

export interface Endpoint extends EndpointDescription {
  readonly open: false;
  readonly params: Parameters;
  readonly body: Body;
  readonly answer: TSchema | undefined;
  run(context: Context, params: Record<string, unknown>): EndpointResult | Promise<EndpointResult>;
}

export interface OpenEndpoint extends EndpointDescription {
  readonly open: true;
  readonly params: Parameters;
  readonly body: Body;
  readonly answer: TSchema | undefined;
  run(
    context: OpenContext,
    params: Record<string, unknown>,
  ): EndpointResult | Promise<EndpointResult>;
  /** Response at a host without an organization. If absent, such requests are rejected. */
  withoutRealm?(
    context: HostContext,
    params: Record<string, unknown>,
  ): EndpointResult | Promise<EndpointResult>;
}

export function endpoint<const P extends Parameters, S extends TSchema | undefined = undefined>(
  declared: Declaration<P, Context, S>,
): Endpoint & TypedEndpoint<P, ResultOf<S>> {
  const { summary, tag, params, body = "form", answer: response, refuses = [] } = declared;
  const run = declared.run as Endpoint["run"];
  return { open: false, summary, tag, params, body, answer: response, refuses, run };
}

/** An endpoint that does not require authentication. */
export function openEndpoint<const P extends Parameters, S extends TSchema | undefined = undefined>(
  declared: Declaration<P, OpenContext, S> & {
    withoutRealm?(context: HostContext, params: ValuesOf<P>): ResultFor<S> | Promise<ResultFor<S>>;
  },
): OpenEndpoint & TypedEndpoint<P, ResultOf<S>> {
  const { summary, tag, params, body = "form", answer: response, refuses = [] } = declared;
  const run = declared.run as OpenEndpoint["run"];
  const withoutRealm = declared.withoutRealm as OpenEndpoint["withoutRealm"];
  const payload = {
    open: true as const,
    summary,
    tag,
    params,
    body,
    answer: response,
    refuses,
    run,
  };
  return { ...payload, ...(withoutRealm && { withoutRealm }) };
}

type ResultOf<S> = S extends TSchema ? Static<S> : Response;
