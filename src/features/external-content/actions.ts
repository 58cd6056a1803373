// Serves images, videos and audio of other hosts at URLs signed by this server.
import { openEndpoint, text } from "../../endpoint.ts";
import { fileDenied, serveBytes } from "../files/response.ts";
import { urlIn } from "../messages/foreign-media-wire.ts";
import { externalMedia } from "./proxy.ts";

const CACHE = "private, max-age=86400";
const RETRY_SECONDS = 60;

export const getExternalContent = openEndpoint({
  summary: "Get an image of another site through this server",
  tag: "Pictures",
  params: { signature: text, address: text },
  async run(context, { signature, address }) {
    const { realm, request } = context;
    if (!realm.config.external_content) return fileDenied(context, 404);
    const url = urlIn(realm.read, signature, address);
    if (url === undefined) return fileDenied(context, 403);
    const media = await externalMedia(realm).find(url);
    if (media === undefined) return fileDenied(context, 404);
    if (media === "busy") return fileDenied(context, 503, { "Retry-After": String(RETRY_SECONDS) });
    const { bytes, content_type } = media;
    return serveBytes(
      request,
      bytes,
      { name: nameOf(content_type), content_type },
      "inline",
      CACHE,
    );
  },
});

/** Headers contain no text of the other host. */
function nameOf(content_type: string): string {
  return content_type.replace("/", ".");
}
