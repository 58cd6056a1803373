// Fetches metadata of linked pages and adds previews to the message.
import { type OutboundResponse, GuardedClient } from "../../../outbound/client.ts";
import { perRealm, type Realm } from "../../../realm.ts";
import type { DueJob } from "../../../schema/records.ts";
import { videoAt, videoInfoUrl, linkedVideo } from "../../../text/oembed.ts";
import { type LinkedPage, linkedPage } from "../../../text/linked-page.ts";
import type { UnfurlOptions } from "../../previews/actions.ts";
import { isKnown, cachePage, cachedPage, hasPreviews } from "../../previews/pages.ts";
import { type Client, loggingClient } from "../../security-log/jobs.ts";
import { renderedBy } from "../content/compose.ts";
import { rerender } from "./rerender.ts";

export const PREVIEWS_AT_ONCE = 10;

export async function fetchPreviews(realm: Realm, { payload }: DueJob): Promise<void> {
  const { message_id, urls } = payload as UnfurlOptions;
  if (!realm.read.messages.has(message_id)) return;
  const unknown = urls.filter((url) => !isKnown(realm.read, url));
  const author = realm.read.messages.get(message_id)?.sender_id;
  const client = loggingClient(realm, clientOf(realm), author);
  const pages = await Promise.all(unknown.map((url) => fetchPage(client, url)));
  await realm.write((tx) => unknown.forEach((url, index) => cachePage(tx, url, pages[index])));
  if (urls.some((url) => cachedPage(realm.read, url))) await addPreviews(realm, message_id);
}

const clientOf = perRealm(({ config }) => new GuardedClient(config.outbound_allow));

/** null if the page has nothing to show; undefined if it could not be read. */
export async function fetchPage(
  client: Client,
  url: string,
): Promise<LinkedPage | null | undefined> {
  const video = videoAt(url);
  try {
    const response = await client.send(video ? jsonRequest(videoInfoUrl(video)) : pageRequest(url));
    if (response.status !== 200) return undefined;
    const read = video ? linkedVideo : linkedPage;
    return read(textOf(response), response.url) ?? null;
  } catch {
    return undefined;
  }
}

const HTML = ["text/html", "application/xhtml+xml"];
/** Metadata is at the start of a page. */
const PAGE_BYTES_MAX = 256 * 1024;
const VIDEO_BYTES_MAX = 64 * 1024;

const pageRequest = (url: string) => ({
  url,
  types: HTML,
  bytes_max: PAGE_BYTES_MAX,
  truncates: true,
});
const jsonRequest = (url: string) => ({
  url,
  types: ["application/json"],
  bytes_max: VIDEO_BYTES_MAX,
});

const CHARSET = /charset\s*=\s*["']?([\w-]+)/i;
/** A page states its encoding within these bytes. */
const ENCODING_BYTES = 1_024;

function textOf({ body, content_type }: OutboundResponse): string {
  const beginning = new TextDecoder("latin1").decode(body.subarray(0, ENCODING_BYTES));
  const label = CHARSET.exec(content_type)?.[1] ?? CHARSET.exec(beginning)?.[1] ?? "utf-8";
  try {
    return new TextDecoder(label as Bun.Encoding).decode(body);
  } catch {
    return new TextDecoder().decode(body);
  }
}

/** Uses the current content. An edit in the meantime has its own job. */
async function addPreviews(realm: Realm, message_id: number): Promise<void> {
  const { read } = realm;
  const message = read.messages.get(message_id);
  const author = message && read.users.get(message.sender_id);
  if (!author || !hasPreviews(read, author)) return;
  const rendered = renderedBy(read, author, message.content);
  if (rendered) await realm.write((tx) => rerender(tx, message, rendered));
}

const STEP_ROWS_MAX = 2_000;

export async function purgePages(realm: Realm): Promise<void> {
  const outdated: string[] = [];
  for (const { hash, expires } of realm.read.linked_pages.range()) {
    if (expires <= realm.read.now) outdated.push(hash);
  }
  for (let index = 0; index < outdated.length; index += STEP_ROWS_MAX) {
    const step = outdated.slice(index, index + STEP_ROWS_MAX);
    await realm.write((tx) => step.forEach((hash) => tx.linked_pages.delete(hash)));
  }
}
