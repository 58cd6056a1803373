// Errors of the API: their form, and those of requests in general.

export type ErrorCode =
  | "BAD_REQUEST"
  | "REQUEST_VARIABLE_MISSING"
  | "REQUEST_VARIABLE_INVALID"
  | "REQUEST_CONFUSING_VAR"
  | "UNAUTHORIZED"
  | "UNAUTHENTICATED_USER"
  | "UNAUTHORIZED_PRINCIPAL"
  | "AUTHENTICATION_FAILED"
  | "AUTHENTICATION_UNAVAILABLE"
  | "USER_DEACTIVATED"
  | "PASSWORD_AUTH_DISABLED"
  | "CSRF_FAILED"
  | "SESSION_OF_ANOTHER"
  | "REALM_DEACTIVATED"
  | "NONEXISTENT_SUBDOMAIN"
  | "RATE_LIMIT_HIT"
  | "BAD_EVENT_QUEUE_ID"
  | "BAD_NARROW"
  | "STREAM_DOES_NOT_EXIST"
  | "CHANNEL_ALREADY_EXISTS"
  | "STREAM_WILDCARD_MENTION_NOT_ALLOWED"
  | "TOPIC_WILDCARD_MENTION_NOT_ALLOWED"
  | "EXPECTATION_MISMATCH"
  | "MOVE_MESSAGES_TIME_LIMIT_EXCEEDED"
  | "REACTION_ALREADY_EXISTS"
  | "REACTION_DOES_NOT_EXIST"
  | "SYSTEM_GROUP_REQUIRED"
  | "CANNOT_DEACTIVATE_LAST_USER"
  | "CANNOT_DEACTIVATE_GROUP_IN_USE"
  | "PUSH_SERVICE_NOT_CONFIGURED"
  | "NO_ACTIVE_PUSH_DEVICE"
  | "INVALID_PUSH_DEVICE_TOKEN"
  | "PERMISSION_DENIED"
  | "BAD_IMAGE"
  | "REALM_UPLOAD_QUOTA"
  | "INVITATION_FAILED"
  | "INVALID_API_KEY"
  | "INVALID_JSON"
  | "MISSING_HTTP_EVENT_HEADER"
  | "ANOMALOUS_WEBHOOK_PAYLOAD"
  | "SERVER_NOT_READY"
  | "STORE_FULL"
  | "TOO_MANY_CONNECTIONS"
  | "FILE_STORE_UNAVAILABLE"
  | "INTERNAL_SERVER_ERROR";
/** An error response of the API: code, message, further fields, status and headers. */
export class Refusal extends Error {
  constructor(
    readonly errCode: ErrorCode | undefined,
    message: string,
    readonly extra: Record<string, unknown> = {},
    readonly status: number = 400,
    readonly headers: Record<string, string> = {},
  ) {
    super(message);
    this.name = "Refusal";
  }

  /** The same error with the field of a form that it is about, unless it names one. */
  withField(field: string): Refusal {
    const { errCode, message, extra, status, headers } = this;
    if ("field" in extra) return this;
    return new Refusal(errCode, message, { ...extra, field }, status, headers);
  }

  /** Runs a check whose errors are about a field. */
  static inField<T>(field: string, check: () => T): T {
    try {
      return check();
    } catch (error) {
      throw error instanceof Refusal ? error.withField(field) : error;
    }
  }
}

export const badRequest = (msg: string, fields: Record<string, unknown> = {}) =>
  new Refusal("BAD_REQUEST", msg, fields);
export const badEventQueueId = (queue_id: string) =>
  new Refusal("BAD_EVENT_QUEUE_ID", `Bad event queue ID: ${queue_id}`, { queue_id });
export const eventPruned = (id: number) =>
  badRequest(`An event newer than ${id} has already been pruned!`);
export const eventNotInQueue = (id: number) => badRequest(`Event ${id} was not in this queue`);

// register
export const narrowOperatorNotSupported = (operator: string) =>
  badRequest(`Operator ${operator} not supported.`);
export const notAuthorizedForQuery = () => badRequest("User not authorized for this query");

// requests
export const missingParameter = (var_name: string) =>
  new Refusal("REQUEST_VARIABLE_MISSING", `Missing '${var_name}' argument`, { var_name });
export const confusingParameters = (var_name1: string, var_name2: string) =>
  new Refusal(
    "REQUEST_CONFUSING_VAR",
    `Can't decide between '${var_name1}' and '${var_name2}' arguments`,
    { var_name1, var_name2 },
  );
/** `msg` names the parameter, or the path inside it. */
export const malformed = (msg: string) => badRequest(msg);
export const malformedEncoding = () => badRequest("The request is not encoded as UTF-8");
export const malformedForm = () => badRequest("The multipart form is malformed");
export const tooManyParameters = () => badRequest("Too many parameters");
export const bodyTooLarge = () => new Refusal("BAD_REQUEST", "The request is too large", {}, 413);
export const requestTooSlow = () =>
  new Refusal("BAD_REQUEST", "The request arrived too slowly", {}, 408, { Connection: "close" });
export const pathNotFound = () => new Refusal("BAD_REQUEST", "Not Found", {}, 404);
export const methodNotAllowed = (allowed_methods: string[]) =>
  new Refusal(undefined, "Method Not Allowed", { allowed_methods }, 405, {
    Allow: allowed_methods.join(", "),
  });
export const hostUnknown = () => new Refusal("NONEXISTENT_SUBDOMAIN", "Invalid subdomain", {}, 404);
export const hostRepeated = () => badRequest("The request has more than one Host header");
export const subdomainInvalid = () => badRequest("Invalid subdomain");
export const rateLimitHit = (seconds: number) =>
  new Refusal("RATE_LIMIT_HIT", "API usage exceeded rate limit", { "retry-after": seconds }, 429, {
    "Retry-After": String(Math.ceil(seconds)),
  });
export const storeFull = (request_id: string) =>
  new Refusal(
    "STORE_FULL",
    "The server cannot write to its disk at the moment",
    { request_id },
    503,
  );
/** The connection is closed, so that the next one is accepted. */
export const tooManyConnections = () =>
  new Refusal("TOO_MANY_CONNECTIONS", "The server has too many connections", {}, 503, {
    Connection: "close",
    "Retry-After": "1",
  });
/** `cause` is only logged. */
export const bucketUnavailable = (cause: unknown) =>
  Object.assign(
    new Refusal(
      "FILE_STORE_UNAVAILABLE",
      "The file storage cannot be reached at the moment. Try again later.",
      {},
      503,
    ),
    { cause },
  );
export const internalError = (request_id: string) =>
  new Refusal("INTERNAL_SERVER_ERROR", "Internal server error", { request_id }, 500);

// credentials
export const unauthorized = (msg: string) =>
  new Refusal("UNAUTHORIZED", msg, {}, 401, { "WWW-Authenticate": 'Basic realm="zulip"' });
export const notLoggedIn = () =>
  unauthorized("Not logged in: API authentication or user session required");
/** Redirects browsers that open a page or file to the sign-in page. */
export const signInRequired = (next: string) =>
  new Refusal("UNAUTHORIZED", notLoggedIn().message, {}, 302, {
    Location: `/login/?next=${encodeURIComponent(next)}`,
  });
export const keyMalformed = () => unauthorized("Malformed API key");
export const keyInvalid = () => unauthorized("Invalid API key");
export const keyOfAnotherRealm = () =>
  unauthorized("Account is not associated with this subdomain");
export const accountDeactivated = () => unauthorized("Account is deactivated");
export const webhookBotNotAllowed = () =>
  unauthorized("This API is not available to incoming webhook bots.");
export const malformedAuthorization = () =>
  unauthorized("Invalid authorization header for basic auth");
export const basicAuthenticationRequired = () =>
  badRequest("This endpoint requires HTTP basic authentication.");
/** The error of endpoints that spectators can use only in part. */
export const spectatorsNotAllowed = () =>
  new Refusal("UNAUTHENTICATED_USER", notLoggedIn().message, {}, 401, notLoggedIn().headers);
export const notForSpectators = (name: string) =>
  badRequest(`Invalid '${name}' parameter for anonymous request`);

// gates
export const botsNotAllowed = () => badRequest("This endpoint does not accept bot requests.");
export const guestsNotAllowed = () => badRequest("Not allowed for guest users");
export const mustBeAdministrator = () =>
  new Refusal("UNAUTHORIZED_PRINCIPAL", "Must be an organization administrator");
export const mustBeOwner = () =>
  new Refusal("UNAUTHORIZED_PRINCIPAL", "Must be an organization owner");
export const mustBeBot = () => new Refusal("PERMISSION_DENIED", "Must be a bot user");
