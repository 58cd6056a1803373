// Sign-in methods: enabling them, and why some are not available.
import { ownValue } from "../../../../text/input/own-value.ts";
import { changeRealm } from "../../../api/organization-calls.ts";
import { sync } from "../../../sync/session.ts";
import { subscribe, getState } from "../../../store/store.ts";
import { SavedPart } from "../../../ui/form/saved-note.tsx";
import { useSaving } from "../../../ui/saving.ts";
import { t, type TextKey } from "../../../words/words.ts";
import { isOwner } from "../permissions.ts";
import { Refusal } from "../../../ui/form/form.tsx";

const WORDS: Readonly<Record<string, { name: TextKey; hint: TextKey }>> = {
  Email: { name: "org-method-email", hint: "org-method-email-hint" },
  LDAP: { name: "org-method-ldap", hint: "org-method-ldap-hint" },
  RemoteUser: { name: "org-method-proxy", hint: "org-method-proxy-hint" },
  "OpenID Connect": { name: "org-method-oidc", hint: "org-method-oidc-hint" },
};

export function MethodsPage() {
  subscribe("realm:authentication_methods");
  const saving = useSaving();
  const configured = getState().organization.fields["realm_authentication_methods"];
  const methods = Object.entries(configured ?? {});
  const isDisabled = !isOwner();
  const set = (name: string, isOn: boolean) =>
    changeRealm(sync, { authentication_methods: { [name]: isOn } });
  const turn = (name: string, isOn: boolean) =>
    void saving.save(
      name,
      () => set(name, isOn),
      () => set(name, !isOn),
    );
  return (
    <>
      {isDisabled && <p class="org-note">{t("org-owners-only")}</p>}
      <section>
        {methods.map(([name, { enabled, available, unavailable_reason }]) => {
          const id = `setting-method-${name.replaceAll(/\W/g, "-")}`;
          const words = ownValue(WORDS, name);
          return (
            <div class="settings-row" key={name}>
              <span>
                <label for={id}>{words ? t(words.name) : name}</label>
                <SavedPart saving={saving} part={name} />
              </span>
              <p id={`${id}-hint`}>
                {available ? words && t(words.hint) : (unavailable_reason ?? t("org-no-method"))}
              </p>
              <Refusal text={saving.errors.value[name] ?? ""} />
              <span class="settings-ctl">
                <input
                  class="switch"
                  type="checkbox"
                  role="switch"
                  id={id}
                  aria-describedby={`${id}-hint`}
                  checked={enabled}
                  disabled={isDisabled || (!available && !enabled)}
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
      <p class="settings-intro">{t("org-methods-by-operator")}</p>
    </>
  );
}
