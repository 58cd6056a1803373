// Summaries of conversations: clients ask for them, and this server makes none.
import { summariesUnavailable } from "../../../contract/errors/realm.ts";
import { endpoint, rawText } from "../../../endpoint.ts";

export const getSummary = endpoint({
  summary: "Always refused: this server summarizes nothing",
  tag: "Messages",
  params: { narrow: rawText },
  run() {
    throw summariesUnavailable();
  },
});
