// `refusals`: every error as the protocol says it, and what the operator is to learn of it.
import type { Config } from "../../contract/config.ts";
import { internalError, Refusal, storeFull } from "../../contract/errors/general.ts";
import { noSession } from "../../contract/errors/people.ts";
import { refused, refusedAsPage } from "../answer.ts";
import { type Asked, plugin } from "../asked.ts";
import { hostOf } from "../asker/proxies.ts";
import { prefersHtml } from "../context.ts";
import type { Realm } from "../../realm.ts";
import type { User } from "../../schema/records.ts";
import type { Hosts } from "../hosts.ts";
import { fieldsOf, type Log, loggedPath } from "../log.ts";
import { noteRefused, refusedByDisk } from "../refusing.ts";
import { isApi, isByKey, partsOf } from "../routing.ts";

/** The status of an answer that nobody hears, as its client has gone. */
const CLIENT_GONE = 499;
const CHALLENGE = "WWW-Authenticate";

/** A refusal as people see it in a browser. */
export type PageOf = (refusal: Refusal, looking: Looking) => Response;

/** Without an organization, nothing is found. */
interface Looking {
  readonly request: Request;
  readonly realm: Realm | undefined;
  readonly user: User | undefined;
  /** At the host of the server itself. */
  readonly isRoot: boolean;
}

const NOT_FOUND = 404;

export class Refusals {
  constructor(
    private readonly hosts: Hosts,
    private readonly config: Pick<Config, "proxies" | "trusted_proxy">,
    private readonly log: Log,
    private readonly pageOf?: PageOf,
  ) {}

  answer(error: unknown, asked: Asked): Response {
    return error instanceof Refusal ? this.refused(error, asked) : this.failed(error, asked);
  }

  private refused(refusal: Refusal, asked: Asked): Response {
    // Errors that the client did not cause are logged for the operator.
    if (refusal.cause !== undefined) this.log.error("a request was refused", fieldsOf(refusal));
    return this.told(refusal, asked);
  }

  /** As a page to who looks at it in a browser, and otherwise as the protocol says it. */
  private told(refusal: Refusal, asked: Asked): Response {
    const page = isSeen(refusal, asked) && this.page(refusal, asked);
    const response = page ? refusedAsPage(page, refusal, asked) : refused(refusal, asked);
    // Browsers ask for a password by themselves where "Basic" is told, and the page waits for that.
    if (!isByKey(asked.path) && response.headers.has(CHALLENGE)) {
      response.headers.set(CHALLENGE, noSession().headers[CHALLENGE]!);
    }
    return response;
  }

  /** Undefined where what has failed lets no page be made either. */
  private page(refusal: Refusal, asked: Asked): Response | undefined {
    try {
      const { request, caller } = asked;
      const { host } = partsOf(request.url);
      const of = hostOf(asked, host, this.config);
      const [realm, isRoot] = [this.hosts.realmAt(of), this.hosts.isRoot(of)];
      return this.pageOf?.(refusal, { request, realm, user: caller?.user, isRoot });
    } catch (error) {
      this.log.error("a page could not be made", fieldsOf(error));
      return undefined;
    }
  }

  private failed(error: unknown, asked: Asked): Response {
    const { request, method, shape, path, id: request_id } = asked;
    if (request.signal.aborted) return new Response(null, { status: CLIENT_GONE });
    const said = { request_id, method, path: loggedPath(path, shape), ...fieldsOf(error) };
    this.log.error("a request failed", said);
    const what = refusedByDisk(error);
    const { host } = partsOf(request.url);
    if (what) noteRefused(this.hosts.realmAt(hostOf(asked, host, this.config)), what, error);
    return this.told((what ? storeFull : internalError)(request_id), asked);
  }
}

/** Redirects display nothing, and there are no forms at absent pages. */
function isSeen({ status }: Refusal, { request, path, isLook }: Asked): boolean {
  if (status < 400 || (status === NOT_FOUND && !isLook)) return false;
  return !isApi(path) && prefersHtml(request);
}

export const refusals = (told: Refusals) =>
  plugin("refusals").onError({ as: "global" }, ({ error, asked, set }) => {
    // Elysia has put the error's status here already, and would make the answer anew by it.
    set.status = 200;
    return told.answer(error, asked);
  });
