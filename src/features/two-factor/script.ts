// The pages' only script: lets the browser create or use a passkey for a form.
import { DAY_SECONDS } from "../../contract/units.ts";
import { openEndpoint } from "../../endpoint.ts";

/** If scripts or passkeys are not available, the forms that need them stay hidden. */
const SCRIPT = `const makes = "PublicKeyCredential" in window &&
  "parseCreationOptionsFromJSON" in PublicKeyCredential;

/** Said by the server, in the person's language. */
class Refusal extends Error {}

async function optionsFor(form) {
  const body = new URLSearchParams(new FormData(form));
  const answer = await window.fetch(form.action + "options/", { method: "POST", body });
  const told = await answer.json();
  if (!answer.ok) throw new Refusal(told.msg);
  return told;
}

async function credentialFor(form) {
  const { ticket, options } = await optionsFor(form);
  if (ticket) form.elements.ticket.value = ticket;
  if (form.dataset.passkey === "make") {
    const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options);
    return navigator.credentials.create({ publicKey });
  }
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options);
  return navigator.credentials.get({ publicKey });
}

for (const form of makes ? document.querySelectorAll("form[data-passkey]") : []) {
  form.hidden = false;
  const trouble = document.createElement("p");
  trouble.setAttribute("role", "alert");
  form.append(trouble);
  if (form.dataset.passkey === "sign-in") form.querySelector("button").focus();
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    trouble.textContent = "";
    try {
      const credential = await credentialFor(form);
      form.elements.credential.value = JSON.stringify(credential.toJSON());
      form.submit();
    } catch (error) {
      const isOurs = error instanceof Refusal;
      trouble.textContent = isOurs ? error.message : form.dataset.trouble;
    }
  });
}
`;

export const getPasskeyScript = openEndpoint({
  summary: "Get the script of pages that ask for a passkey",
  tag: "Pages",
  params: {},
  run: () =>
    new Response(SCRIPT, {
      headers: {
        "Content-Type": "text/javascript; charset=utf-8",
        "Cache-Control": `public, max-age=${DAY_SECONDS}`,
      },
    }),
});
