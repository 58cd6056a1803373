// Topic summaries: a protocol endpoint that this server does not offer.
import { summariesUnavailable } from "../../../contract/errors/realm.ts";
import { endpoint, rawText } from "../../../endpoint.ts";

export const getSummary = endpoint({
  summary: "Summarize a conversation. Not available on this server",
  tag: "Messages",
  params: { narrow: rawText },
  run() {
    throw summariesUnavailable();
  },
});
