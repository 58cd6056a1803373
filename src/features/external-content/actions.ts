// Shows a picture or a film of another host, to whoever was given its address by this server.
import { openEndpoint, text } from "../../endpoint.ts";
import { denied, served } from "../files/served.ts";
import { urlIn } from "../messages/foreign-media-wire.ts";
import { elsewhere } from "./elsewhere.ts";

const CACHE = "private, max-age=86400";
const BUSY_SECONDS = 60;

export const getExternalContent = openEndpoint({
  summary: "Show a picture of another site by way of this server",
  tag: "Pictures",
  params: { signature: text, address: text },
  async run(context, { signature, address }) {
    const { realm, request } = context;
    if (!realm.config.external_content) return denied(context, 404);
    const url = urlIn(realm.read, signature, address);
    if (url === undefined) return denied(context, 403);
    const found = await elsewhere(realm).find(url);
    if (found === undefined) return denied(context, 404);
    if (found === "busy") return denied(context, 503, { "Retry-After": String(BUSY_SECONDS) });
    const { bytes, content_type } = found;
    return served(request, bytes, { name: nameOf(content_type), content_type }, "inline", CACHE);
  },
});

/** Headers contain no text of the other host. */
function nameOf(content_type: string): string {
  return content_type.replace("/", ".");
}
