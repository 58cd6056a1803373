// The script of the sign-up form: computes the proof of work while the user fills in the form.
import { DAY_SECONDS } from "../../contract/units.ts";
import { openEndpoint } from "../../endpoint.ts";
import script from "./proof.txt" with { type: "text" };

export const getProofScript = openEndpoint({
  summary: "Get the script of the sign-up form",
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
