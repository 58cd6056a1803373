// The email domains whose users may join, if joining is restricted.
import { useSignal } from "@preact/signals";
import { addDomain, dropDomain, editDomain } from "../../../api/organization-calls.ts";
import { sync } from "../../../sync/session.ts";
import { subscribe, getState } from "../../../store/store.ts";
import { Button } from "../../../ui/button.tsx";
import { t } from "../../../words/words.ts";
import { Form, TextField, useSending } from "../../../ui/form/form.tsx";
import type { Attempt } from "../../settings/setting-frame.tsx";
import { isOwner } from "../permissions.ts";
import { Empty, ListRow, ReadOnlyNote, RemoveButton } from "./list-parts.tsx";

export function DomainsPage() {
  subscribe("realm_domains", "realm:emails_restricted_to_domains");
  const { domains, fields } = getState().organization;
  const canChange = isOwner();
  const isOn = fields["realm_emails_restricted_to_domains"] === true;
  return (
    <>
      <ReadOnlyNote canChange={canChange} textKey="org-owners-only" />
      <p class="settings-fact">{t(isOn ? "org-domains-on" : "org-domains-off")}</p>
      <Empty isShown={domains.length === 0} textKey="org-domains-none" />
      <ul class="settings-list">
        {domains.map(({ domain, allow_subdomains }) => (
          <ListRow key={domain} name={domain}>
            {(attempt) => (
              <>
                <Subdomains
                  attempt={attempt}
                  domain={domain}
                  isOn={allow_subdomains}
                  canChange={canChange}
                />
                {canChange && (
                  <RemoveButton
                    isAllowed={isOwner}
                    attempt={attempt}
                    name={domain}
                    textKey="org-domain-remove-hint"
                    remove={() => dropDomain(sync, { domain })}
                  />
                )}
              </>
            )}
          </ListRow>
        ))}
      </ul>
      {canChange && <NewDomain />}
    </>
  );
}

interface SubdomainsProps {
  attempt: Attempt;
  domain: string;
  isOn: boolean;
  canChange: boolean;
}

function Subdomains({ attempt, domain, isOn, canChange }: SubdomainsProps) {
  return (
    <label class="org-check">
      <input
        class="switch"
        type="checkbox"
        role="switch"
        aria-label={t("org-subdomains-of", { domain })}
        disabled={!canChange}
        checked={isOn}
        onChange={({ currentTarget }) => {
          const allow_subdomains = currentTarget.checked;
          void attempt(() => editDomain(sync, { domain, allow_subdomains })).then((isDone) => {
            if (!isDone) currentTarget.checked = !allow_subdomains;
          });
        }}
      />
      {t("org-subdomains")}
    </label>
  );
}

function NewDomain() {
  const [domain, isWide] = [useSignal(""), useSignal(false)];
  const { refusal, isBusy, send } = useSending();
  const add = async () => {
    const params = { domain: domain.value.trim(), allow_subdomains: isWide.value };
    if (await send(() => addDomain(sync, params))) domain.value = "";
  };
  return (
    <section>
      <h3>{t("org-domain-new")}</h3>
      <Form send={() => void add()}>
        <TextField
          label={t("org-domain")}
          value={domain}
          refusal={refusal.value}
          placeholder="example.com"
        />
        <label class="org-check">
          <input
            type="checkbox"
            checked={isWide.value}
            onChange={({ currentTarget }) => (isWide.value = currentTarget.checked)}
          />
          {t("org-subdomains")}
        </label>
        <Button kind="primary" type="submit" disabled={isBusy.value || domain.value.trim() === ""}>
          {t("add")}
        </Button>
      </Form>
    </section>
  );
}
