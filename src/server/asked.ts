// A request on its way: what each plug-in has found out about it, for those that come after.
import { Elysia } from "elysia";
import type { Refusal } from "../contract/errors/general.ts";
import type { Realm } from "../realm.ts";
import type { Caller } from "./asker/authenticate.ts";
import type { Peers } from "./asker/proxies.ts";
import type { Bearing } from "./bearing.ts";
import type { FormFile } from "./body/multipart.ts";
import { requestId } from "./insight/seen.ts";
import type { RateLimit } from "./limit.ts";
import { type Given, NOTHING } from "./parameters/given.ts";
import { type Found, partsOf, type Shape } from "./routing.ts";

export class Asked {
  /** As the address has it, until it is known whether a proxy may call it otherwise. */
  host: string;
  readonly path: string;
  readonly query: string;
  readonly method: string;
  /** Made when it is first asked for. */
  private name: string | undefined;
  /** Nothing is to change, and no body is read. */
  readonly isLook: boolean;
  /** Who answers; undefined at a host that no organization has. */
  realm: Realm | undefined;
  caller: Caller | undefined;
  /** Why there is no caller: the credentials are wrong. */
  refusal: Refusal | undefined;
  /** The answer, once there is one. */
  told: Response | Promise<Response> | undefined;
  /** Told with whatever the answer is. */
  rateLimit: RateLimit | undefined;
  found: Found | undefined;
  form: Given = NOTHING;
  /** What the form brought, where that is wanted. */
  files: FormFile[] | undefined;
  /** Of the parameters, those that are not known here. */
  ignored: string[] | undefined;
  /** Which one of the doubled names the parameters use. */
  spelling: "zulip" | "service" = "zulip";
  /** What the client calls itself among the parameters. */
  clientGiven: string | undefined;

  constructor(
    readonly request: Request,
    readonly peers: Peers | null,
    public shape: Shape | undefined,
    readonly bearing: Bearing,
  ) {
    const { host, path, query } = partsOf(request.url);
    this.host = host;
    this.path = path;
    this.query = query;
    this.method = request.method;
    this.isLook = this.method === "GET" || this.method === "HEAD";
  }

  /** By which the log and whoever asks call it. */
  get id(): string {
    return (this.name ??= requestId(this.request));
  }
}

/**
 * A plug-in of the app, whose routes say what is `asked` before any other hook runs. Elysia reads
 * the source of hooks, also when it is minified, and awaits what looks like a call behind an arrow
 * or `return`: so those that wait for nothing are functions that return no call.
 */
export const plugin = <const N extends string>(name: N) =>
  new Elysia({ name }).decorate("asked", undefined as unknown as Asked);
