// Linkifiers in the order in which they apply, with a field to test them.
import { type Signal, useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import {
  addLinkifier,
  dropLinkifier,
  editLinkifier,
  orderLinkifiers,
} from "../../../api/organization-calls.ts";
import { sync } from "../../../sync/session.ts";
import { subscribe, getState } from "../../../store/store.ts";
import { Button } from "../../../ui/button.tsx";
import { Dialog } from "../../../ui/dialog.tsx";
import { openLayer, useCloseLayer } from "../../../ui/layers.ts";
import { t } from "../../../words/words.ts";
import { Refusal, TextField, useSending } from "../../../ui/form/form.tsx";
import { isAdministrator } from "../permissions.ts";
import {
  EditButton,
  Empty,
  ListRow,
  ReadOnlyNote,
  ListOrderButtons,
  RemoveButton,
} from "./list-parts.tsx";
import type { Linkifier } from "../state.ts";

const ID = "linkifier";

export function LinkifiersPage() {
  subscribe("realm_linkifiers");
  const all = getState().organization.linkifiers;
  const canChange = isAdministrator();
  const ids = all.map(({ id }) => id);
  const order = (ordered_linkifier_ids: number[]) =>
    orderLinkifiers(sync, { ordered_linkifier_ids });
  return (
    <>
      <ReadOnlyNote canChange={canChange} textKey="org-not-allowed" />
      {canChange && (
        <div class="org-top">
          <Button icon="plus" onClick={() => openLayer(ID, <Edit />)}>
            {t("org-linkifier-new")}
          </Button>
        </div>
      )}
      <Empty isShown={all.length === 0} textKey="org-linkifiers-none" />
      <ol class="settings-list">
        {all.map((linkifier, index) => (
          <ListRow
            key={linkifier.id}
            name={<code>{linkifier.pattern}</code>}
            note={linkifier.url_template}
          >
            {(attempt) =>
              canChange && (
                <>
                  <ListOrderButtons
                    attempt={attempt}
                    name={linkifier.pattern}
                    index={index}
                    ids={ids}
                    order={order}
                  />
                  <EditButton
                    name={linkifier.pattern}
                    onClick={() => openLayer(ID, <Edit linkifier={linkifier} />)}
                  />
                  <RemoveButton
                    attempt={attempt}
                    name={linkifier.pattern}
                    textKey="org-linkifier-remove-hint"
                    remove={() => dropLinkifier(sync, { filter_id: linkifier.id })}
                  />
                </>
              )
            }
          </ListRow>
        ))}
      </ol>
      <p class="hint">{t("org-linkifier-order")}</p>
    </>
  );
}

const FIELDS = { pattern: ["pattern"], url_template: ["url_template"] };

function Edit({ linkifier }: { linkifier?: Linkifier }) {
  const [pattern, template] = [
    useSignal(linkifier?.pattern ?? ""),
    useSignal(linkifier?.url_template ?? ""),
  ];
  const example = useSignal(linkifier?.example_input ?? "");
  const { refusal, errorOf, isBusy, send } = useSending(FIELDS);
  // The error belonged to the previous input.
  useEffect(() => void (refusal.value = ""), [pattern.value, template.value]);
  const close = useCloseLayer(ID);
  const save = async () => {
    const params = {
      pattern: pattern.value,
      url_template: template.value,
      example_input: example.value,
    };
    const call = () =>
      linkifier
        ? editLinkifier(sync, { filter_id: linkifier.id, ...params })
        : addLinkifier(sync, params);
    if (await send(call)) close();
  };
  return (
    <Dialog
      id={ID}
      isAllowed={isAdministrator()}
      title={t(linkifier ? "org-linkifier-edit" : "org-linkifier-new")}
      onSubmit={() => void save()}
      foot={
        <Button
          kind="primary"
          type="submit"
          disabled={isBusy.value || pattern.value === "" || template.value === ""}
        >
          {t("save")}
        </Button>
      }
    >
      <div class="form org-wide">
        <LinkifierFields pattern={pattern} template={template} error={errorOf} />
        <TextField label={t("org-try-text")} value={example} placeholder="see #123" />
        <LinkifierSample
          pattern={pattern.value}
          url_template={template.value}
          text={example.value}
          shown={refusal.value}
        />
        <Refusal text={errorOf("")} />
      </div>
    </Dialog>
  );
}

interface RuleProps {
  pattern: Signal<string>;
  template: Signal<string>;
  error: (field: keyof typeof FIELDS) => string;
}

function LinkifierFields({ pattern, template, error }: RuleProps) {
  return (
    <>
      <TextField
        label={t("org-pattern")}
        value={pattern}
        refusal={error("pattern")}
        placeholder="#(?P<id>[0-9]+)"
      />
      <TextField
        label={t("org-template")}
        value={template}
        refusal={error("url_template")}
        placeholder="https://example.com/issues/{id}"
      />
      <p class="hint">{t("org-pattern-hint", { group: "{id}" })}</p>
    </>
  );
}

type TestLinkifier = typeof import("./try-linkifier.ts").testLinkifier;

interface TriedProps {
  pattern: string;
  url_template: string;
  text: string;
  /** The server's message, which is not repeated. */
  shown: string;
}

/** Shows the result for a sample text, with the server's engine. */
function LinkifierSample({ shown, ...sample }: TriedProps) {
  const engine = useSignal<TestLinkifier | undefined>(undefined);
  useEffect(() => {
    void import("./try-linkifier.ts").then(({ testLinkifier }) => (engine.value = testLinkifier));
  }, []);
  if (sample.pattern === "" || sample.url_template === "" || !engine.value) return null;
  const result = engine.value(sample);
  if ("fault" in result) {
    return result.fault === shown ? null : <p class="hint wrong">{result.fault}</p>;
  }
  if (sample.text === "") return null;
  return (
    <div class="org-test-result" role="status">
      <p dir="auto">
        {result.parts.map(({ text, url }, index) =>
          url === undefined ? (
            text
          ) : (
            <a key={index} href={url} target="_blank" rel="noopener noreferrer">
              {text}
            </a>
          ),
        )}
      </p>
      <ul>
        {result.parts.map(({ url }, index) => url !== undefined && <li key={index}>{url}</li>)}
        {result.parts.every(({ url }) => url === undefined) && <li>{t("org-try-nothing")}</li>}
      </ul>
    </div>
  );
}
