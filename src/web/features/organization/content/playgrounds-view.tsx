// Code playgrounds, to which code blocks of a language link.
import { useSignal } from "@preact/signals";
import {
  PLAYGROUND_NAME_LENGTH_MAX,
  PYGMENTS_LANGUAGE_LENGTH_MAX,
} from "../../../../features/playgrounds/rules.ts";
import { addPlayground, dropPlayground } from "../../../api/organization-calls.ts";
import { sync } from "../../../sync/session.ts";
import { subscribe, getState } from "../../../store/store.ts";
import { Button } from "../../../ui/button.tsx";
import { t } from "../../../words/words.ts";
import { Form, Refusal, TextField, useSending } from "../../../ui/form/form.tsx";
import { isAdministrator } from "../permissions.ts";
import { Empty, ListRow, ReadOnlyNote, RemoveButton } from "./list-parts.tsx";

export function PlaygroundsPage() {
  subscribe("realm_playgrounds");
  const all = getState().organization.playgrounds;
  const canChange = isAdministrator();
  return (
    <>
      <ReadOnlyNote canChange={canChange} textKey="org-not-allowed" />
      <Empty isShown={all.length === 0} textKey="org-playgrounds-none" />
      <ul class="settings-list">
        {all.map(({ id, name, pygments_language, url_template }) => (
          <ListRow key={id} name={`${name} (${pygments_language})`} note={url_template}>
            {(attempt) =>
              canChange && (
                <RemoveButton
                  attempt={attempt}
                  name={name}
                  textKey="org-playground-remove-hint"
                  remove={() => dropPlayground(sync, { playground_id: id })}
                />
              )
            }
          </ListRow>
        ))}
      </ul>
      {canChange && <NewPlayground />}
    </>
  );
}

const FIELDS = {
  pygments_language: ["pygments_language"],
  name: ["name"],
  url_template: ["url_template"],
};

function NewPlayground() {
  const [name, language, template] = [useSignal(""), useSignal(""), useSignal("")];
  const { errorOf, isBusy, send } = useSending(FIELDS);
  const add = async () => {
    const params = {
      name: name.value,
      pygments_language: language.value,
      url_template: template.value,
    };
    if (!(await send(() => addPlayground(sync, params)))) return;
    name.value = language.value = template.value = "";
  };
  return (
    <section>
      <h3>{t("org-playground-new")}</h3>
      <Form send={() => void add()}>
        <TextField
          label={t("language")}
          value={language}
          refusal={errorOf("pygments_language")}
          maxLength={PYGMENTS_LANGUAGE_LENGTH_MAX}
          placeholder="rust"
        />
        <TextField
          label={t("name")}
          value={name}
          refusal={errorOf("name")}
          maxLength={PLAYGROUND_NAME_LENGTH_MAX}
          placeholder="Rust playground"
        />
        <TextField
          label={t("org-template")}
          value={template}
          refusal={errorOf("url_template")}
          placeholder="https://play.example.com/?code={code}"
        />
        <p class="hint">{t("org-playground-hint", { code: "{code}" })}</p>
        <Refusal text={errorOf("")} />
        <Button
          kind="primary"
          type="submit"
          disabled={isBusy.value || [name, language, template].some((field) => field.value === "")}
        >
          {t("add")}
        </Button>
      </Form>
    </section>
  );
}
