// Sites where code of a language can be tried, which blocks of code lead to.
import { useSignal } from "@preact/signals";
import {
  PLAYGROUND_NAME_LENGTH_MAX,
  PYGMENTS_LANGUAGE_LENGTH_MAX,
} from "../../../../features/playgrounds/rules.ts";
import { addPlayground, dropPlayground } from "../../../api/organization-calls.ts";
import { sync } from "../../../here.ts";
import { keyed, now } from "../../../live.ts";
import { Button } from "../../../ui/button.tsx";
import { say } from "../../../words/words.ts";
import { Form, Refusal, TextField, useSending } from "../../settings/form.tsx";
import { isAdministrator } from "../may.ts";
import { Empty, ListRow, OnlyLooking, RemoveButton } from "./parts.tsx";

interface Playground {
  id: number;
  name: string;
  pygments_language: string;
  url_template: string;
}

export function PlaygroundsPage() {
  keyed("realm_playgrounds");
  const all = now().organization.playgrounds as readonly Playground[];
  const may = isAdministrator();
  return (
    <>
      <OnlyLooking may={may} words="org-not-yours" />
      <Empty isShown={all.length === 0} words="org-playgrounds-none" />
      <ul class="settings-list">
        {all.map(({ id, name, pygments_language, url_template }) => (
          <ListRow key={id} name={`${name} (${pygments_language})`} note={url_template}>
            {(act) =>
              may && (
                <RemoveButton
                  act={act}
                  name={name}
                  words="org-playground-remove-hint"
                  remove={() => dropPlayground(sync, { playground_id: id })}
                />
              )
            }
          </ListRow>
        ))}
      </ul>
      {may && <NewPlayground />}
    </>
  );
}

/** Finds the field in the server's error about a duplicate. */
const FIELDS = { pygments_language: /^pygments/, name: /^name/, url_template: /^url/ };

function NewPlayground() {
  const [name, language, template] = [useSignal(""), useSignal(""), useSignal("")];
  const { of, isBusy, send } = useSending(FIELDS);
  const add = async () => {
    const asked = {
      name: name.value,
      pygments_language: language.value,
      url_template: template.value,
    };
    if (!(await send(() => addPlayground(sync, asked)))) return;
    name.value = language.value = template.value = "";
  };
  return (
    <section>
      <h3>{say("org-playground-new")}</h3>
      <Form send={() => void add()}>
        <TextField
          label={say("language")}
          value={language}
          refusal={of("pygments_language")}
          maxLength={PYGMENTS_LANGUAGE_LENGTH_MAX}
          placeholder="rust"
        />
        <TextField
          label={say("name")}
          value={name}
          refusal={of("name")}
          maxLength={PLAYGROUND_NAME_LENGTH_MAX}
          placeholder="Rust playground"
        />
        <TextField
          label={say("org-template")}
          value={template}
          refusal={of("url_template")}
          placeholder="https://play.example.com/?code={code}"
        />
        <p class="hint">{say("org-playground-hint", { code: "{code}" })}</p>
        <Refusal words={of("")} />
        <Button
          kind="primary"
          type="submit"
          disabled={isBusy.value || [name, language, template].some((one) => one.value === "")}
        >
          {say("add")}
        </Button>
      </Form>
    </section>
  );
}
