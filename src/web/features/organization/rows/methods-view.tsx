// The ways to sign in: which are on, and why some cannot be.
import { ownValue } from "../../../../text/input/own-value.ts";
import { changeRealm } from "../../../api/organization-calls.ts";
import { sync } from "../../../here.ts";
import { keyed, now } from "../../../live.ts";
import { useSaving } from "../../../ui/saving.ts";
import { say, type Word } from "../../../words/words.ts";
import { isOwner } from "../may.ts";
import { Refusal } from "../../settings/form.tsx";

interface Method {
  enabled: boolean;
  available: boolean;
  unavailable_reason?: string;
}

const WORDS: Readonly<Record<string, { name: Word; hint: Word }>> = {
  Email: { name: "org-method-email", hint: "org-method-email-hint" },
  LDAP: { name: "org-method-ldap", hint: "org-method-ldap-hint" },
  RemoteUser: { name: "org-method-proxy", hint: "org-method-proxy-hint" },
  "OpenID Connect": { name: "org-method-oidc", hint: "org-method-oidc-hint" },
};

export function MethodsPage() {
  keyed("realm:authentication_methods");
  const saving = useSaving();
  const told = now().organization.fields["realm_authentication_methods"];
  const methods = Object.entries((told ?? {}) as Record<string, Method>);
  const isOff = !isOwner();
  const turn = (name: string, isOn: boolean) =>
    void saving.save(name, () => changeRealm(sync, { authentication_methods: { [name]: isOn } }));
  return (
    <>
      {isOff && <p class="org-note">{say("org-owners-only")}</p>}
      <section>
        {methods.map(([name, { enabled, available, unavailable_reason }]) => {
          const id = `setting-method-${name.replaceAll(/\W/g, "-")}`;
          const words = ownValue(WORDS, name);
          return (
            <div class="settings-row" key={name}>
              <span>
                <label for={id}>{words ? say(words.name) : name}</label>
                {saving.saved.value === name && (
                  <span class="settings-saved" role="status">
                    {say("saved")}
                  </span>
                )}
              </span>
              <p id={`${id}-hint`}>
                {available
                  ? words && say(words.hint)
                  : (unavailable_reason ?? say("org-no-method"))}
              </p>
              <Refusal words={saving.wrong.value[name] ?? ""} />
              <span class="settings-ctl">
                <input
                  class="switch"
                  type="checkbox"
                  role="switch"
                  id={id}
                  aria-describedby={`${id}-hint`}
                  checked={enabled}
                  disabled={isOff || (!available && !enabled)}
                  onChange={(event) => {
                    const { checked } = event.currentTarget;
                    // The switch shows the server's value until it changes.
                    event.currentTarget.checked = enabled;
                    turn(name, checked);
                  }}
                />
              </span>
            </div>
          );
        })}
      </section>
      <p class="settings-intro">{say("org-methods-by-operator")}</p>
    </>
  );
}
