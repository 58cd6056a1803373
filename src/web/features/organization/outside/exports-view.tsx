// Data exports: who makes them, and who lets them contain what is private.
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { fetchConsents } from "../../../api/organization-calls.ts";
import { sync } from "../../../here.ts";
import { now } from "../../../live.ts";
import { say } from "../../../words/words.ts";
import { compareNames } from "../../../matching.ts";
import { personOf } from "../../people/state.ts";
import { attempt } from "../../settings/form.tsx";

type Consents = Awaited<ReturnType<typeof fetchConsents>>["export_consents"];

export function ExportsPage() {
  const consents = useSignal<Consents | undefined>(undefined);
  useEffect(() => {
    void attempt(async () => {
      consents.value = (await fetchConsents(sync, {})).export_consents;
    });
  }, []);
  const agreeing = (consents.value ?? [])
    .filter(({ consented }) => consented)
    .map(({ user_id }) => personOf(now().people, user_id)?.full_name ?? say("unknown-user"))
    .sort(compareNames);
  return (
    <>
      <section>
        <p class="settings-fact">{say("org-exports-how")}</p>
        <p class="settings-fact">{say("org-exports-command")}</p>
      </section>
      <section>
        <h3>{say("org-consents")}</h3>
        {!consents.value && <p class="settings-intro">{say("settings-loading")}</p>}
        {consents.value && (
          <p class="settings-fact">
            {say("org-consents-count", { count: agreeing.length, all: consents.value.length })}
          </p>
        )}
        <ul class="settings-list org-many">
          {agreeing.map((name) => (
            <li key={name}>
              <bdi>{name}</bdi>
            </li>
          ))}
        </ul>
        <p class="hint">{say("org-consents-hint")}</p>
      </section>
    </>
  );
}
