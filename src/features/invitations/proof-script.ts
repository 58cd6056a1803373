// The script of the form to sign up: it does the work that is asked for while one fills it in.
import { DAY_SECONDS } from "../../contract/units.ts";
import { openEndpoint } from "../../endpoint.ts";
import script from "./proof.txt" with { type: "text" };

export const getProofScript = openEndpoint({
  summary: "The script of the form to sign up",
  tag: "Pages",
  params: {},
  run: () =>
    new Response(script, {
      headers: {
        "Content-Type": "text/javascript; charset=utf-8",
        "Cache-Control": `public, max-age=${DAY_SECONDS}`,
      },
    }),
});
