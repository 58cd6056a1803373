// Summaries of conversations: clients ask for them, and this server makes none.
import { anything, endpoint } from "../../endpoint.ts";
import { summariesUnavailable } from "../../errors-realm.ts";

export const getSummary = endpoint({
  params: { narrow: anything },
  run() {
    throw summariesUnavailable();
  },
});
