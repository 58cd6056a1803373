// Calls of the page for imports, loaded when it opens.
import type { ImportState, ImportUser, MappedUser } from "../../contract/shapes/imports.ts";
import type { OptionalParameter, Parameter, TypedEndpoint } from "../../endpoint.ts";
import type {
  beginImportUpload,
  deleteImportUpload,
} from "../../features/moving/uploaded/upload.ts";
import { call } from "./call.ts";
import { type RequestContext, headersOf, NoResponse } from "./http.ts";
import { ApiError } from "../contract/api-error.ts";
import { translateError } from "./error-translations.ts";

/** Bytes per request. */
export const PIECE_BYTES = 16 * 1024 * 1024;
export const REPORT_FILE = "/json/administration/import/report/";
const UPLOAD = "/administration/import/upload/";

/** An endpoint with these parameters, whose types stay on the server. */
type EndpointWith<V, A = unknown> = TypedEndpoint<
  { [K in keyof V]-?: undefined extends V[K] ? OptionalParameter<V[K]> : Parameter<V[K]> },
  A
>;

export interface ImportOptions {
  readonly roles: "keep" | "members";
  readonly channels: "public" | "private";
  /** If absent, the URL in the archive is used. */
  readonly old_url?: string;
}
interface ImportRun {
  readonly archive: string;
  readonly password: string;
  readonly ticket: string;
  readonly credential: string;
}
type Undo = Pick<ImportRun, "password" | "ticket" | "credential"> & { readonly import_id: number };

const PLACE = "/administration/import/";
export const fetchImport = call<EndpointWith<object, ImportState>>("GET", PLACE, "view");
const USERS = "/administration/import/users/";
interface ImportUsers {
  readonly users: readonly ImportUser[];
  readonly mapped: readonly MappedUser[];
}
export const fetchImportUsers = call<EndpointWith<object, ImportUsers>>("GET", USERS, "view");
export const mapImportUser = call<EndpointWith<MappedUser & { archive: string }>>(
  "PATCH",
  USERS,
  "send",
);
export const beginArchive = call<typeof beginImportUpload>("POST", UPLOAD, "send");
export const deleteArchive = call<typeof deleteImportUpload>("DELETE", UPLOAD, "send");
export const planImport = call<EndpointWith<ImportOptions>>(
  "POST",
  "/administration/import/plan/",
  "send",
);
export const runImport = call<EndpointWith<ImportRun>>(
  "POST",
  "/administration/import/run/",
  "send",
);
export const undoImport = call<EndpointWith<Undo>>("POST", "/administration/import/undo/", "send");

/** Returns the number of bytes that the server has. */
export function addToArchive(
  requestContext: RequestContext,
  offset: number,
  chunk: Blob,
  signal: AbortSignal,
): Promise<number> {
  return send(requestContext, "PATCH", UPLOAD, `?offset=${offset}`, chunk, signal);
}

async function send(
  requestContext: RequestContext,
  method: string,
  path: string,
  query: string,
  body: Blob,
  signal: AbortSignal,
): Promise<number> {
  const init = { method, headers: headersOf(requestContext, { method }), body, signal };
  let response;
  let payload: Readonly<Record<string, unknown>>;
  try {
    response = await fetch(`/json${path}${query}`, init);
    payload = await response.json();
  } catch (error) {
    signal.throwIfAborted();
    throw new NoResponse(String(error));
  }
  if (response.ok) return Number(payload["received"]);
  const text = await translateError(String(payload["msg"]));
  throw new ApiError(response.status, String(payload["code"]), text, payload);
}
