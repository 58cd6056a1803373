// The user's alert words, muted users, and topics with a visibility policy.
import { useSignal } from "@preact/signals";
import { ALERT_WORD_LENGTH_MAX } from "../../../../features/alert-words/rules.ts";
import { addAlertWords, dropAlertWords } from "../../../api/account-calls.ts";
import { sync } from "../../../sync/session.ts";
import { subscribe, getState } from "../../../store/store.ts";
import { Button } from "../../../ui/button.tsx";
import { showToast } from "../../../ui/toast.tsx";
import { t, type TextKey } from "../../../words/words.ts";
import { toggleMute } from "../../people/actions.ts";
import { personOf } from "../../people/state.ts";
import { choosePolicy } from "../../topics/actions.ts";
import { VISIBILITY } from "../../topics/state.ts";
import { Form, TextField, useSending } from "../../../ui/form/form.tsx";
import { runWithToast } from "../../../ui/form/save-errors.ts";
import { type Attempt, ListItem } from "../setting-frame.tsx";

const POLICIES: readonly (readonly [number, TextKey])[] = [
  [VISIBILITY.followed, "filter-followed"],
  [VISIBILITY.unmuted, "settings-topic-unmuted"],
  [VISIBILITY.muted, "topic-muted"],
  [VISIBILITY.default, "topic-default"],
];

export function ListsPage() {
  return (
    <>
      <AlertWords />
      <MutedPeople />
      <TopicChoices />
    </>
  );
}

const Empty = ({ isShown, textKey }: { isShown: boolean; textKey: TextKey }) =>
  isShown ? <p class="settings-intro">{t(textKey)}</p> : null;

function AlertWords() {
  subscribe("alert_words");
  const word = useSignal("");
  const { refusal, isBusy, send } = useSending();
  const add = async () => {
    const isDone = await send(() => addAlertWords(sync, { alert_words: [word.value.trim()] }));
    if (isDone) word.value = "";
  };
  return (
    <section>
      <h3>{t("settings-alert-words")}</h3>
      <p class="settings-intro">{t("settings-alert-words-hint")}</p>
      <ul class="settings-list">
        {getState().personal.alert_words.map((alertWord) => (
          <ListItem key={alertWord}>
            {(attempt) => (
              <>
                <bdi>{alertWord}</bdi>
                <Button
                  aria-label={t("remove-named", { name: alertWord })}
                  onClick={() => void removeWord(alertWord, attempt)}
                >
                  {t("remove")}
                </Button>
              </>
            )}
          </ListItem>
        ))}
      </ul>
      <Form send={() => void add()}>
        <TextField
          label={t("settings-alert-word")}
          value={word}
          refusal={refusal.value}
          maxLength={ALERT_WORD_LENGTH_MAX}
        />
        <Button type="submit" disabled={isBusy.value || word.value.trim() === ""}>
          {t("add")}
        </Button>
      </Form>
    </section>
  );
}

async function removeWord(word: string, attempt: Attempt): Promise<void> {
  if (!(await attempt(() => dropAlertWords(sync, { alert_words: [word] })))) return;
  const undo = () => void runWithToast(() => addAlertWords(sync, { alert_words: [word] }));
  showToast({ text: t("settings-saved"), undo });
}

function MutedPeople() {
  subscribe("muted-users", "users");
  const { people } = getState();
  return (
    <section>
      <h3>{t("settings-muted-people")}</h3>
      <Empty isShown={people.muted.size === 0} textKey="settings-muted-none" />
      <ul class="settings-list">
        {[...people.muted.keys()].map((id) => (
          <li key={id}>
            <bdi>{personOf(people, id)?.full_name ?? id}</bdi>
            <Button onClick={() => toggleMute(id)}>{t("unmute-person")}</Button>
          </li>
        ))}
      </ul>
    </section>
  );
}

function TopicChoices() {
  subscribe("user_topic", "channels");
  const { topics, channels } = getState();
  const nameOf = (id: number) => channels.channels.get(id)?.row.name ?? "";
  const rows = [...topics.policies.values()]
    .filter(({ visibility_policy }) => visibility_policy !== VISIBILITY.default)
    .toSorted((a, b) => nameOf(a.stream_id).localeCompare(nameOf(b.stream_id)));
  return (
    <section>
      <h3>{t("settings-topics-mine")}</h3>
      <Empty isShown={rows.length === 0} textKey="settings-topics-none" />
      <ul class="settings-list">
        {rows.map(({ stream_id, topic_name, visibility_policy }) => (
          <li key={`${stream_id}/${topic_name}`}>
            <span>
              <bdi>{topic_name}</bdi>
              <small>
                <bdi>#{nameOf(stream_id)}</bdi>
              </small>
            </span>
            <span class="field">
              <select
                aria-label={t("settings-topic-policy", { topic: topic_name })}
                value={visibility_policy}
                onChange={({ currentTarget }) =>
                  choosePolicy(stream_id, topic_name, Number(currentTarget.value))
                }
              >
                {POLICIES.map(([policy, textKey]) => (
                  <option key={policy} value={policy}>
                    {t(textKey)}
                  </option>
                ))}
              </select>
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
