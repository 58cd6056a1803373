// A profile field for users.
import { getState } from "../../../store/store.ts";
import { Button } from "../../../ui/button.tsx";
import { t } from "../../../words/words.ts";
import { peopleIn } from "../../people/selectors.ts";
import { personOf } from "../../people/state.ts";
import { Refusal } from "../../../ui/form/form.tsx";
import { useSavedChoice } from "../../../ui/form/saved-choice.ts";
import { SavedPart } from "../../../ui/form/saved-note.tsx";
import { useSaving } from "../../../ui/saving.ts";

const PART = "people";

interface PeopleFieldProps {
  label: string;
  /** A list of ids, as JSON. */
  value: string;
  save: (ids: readonly number[]) => Promise<unknown>;
}

export function PeopleField({ label, value, save }: PeopleFieldProps) {
  const { people } = getState();
  const saving = useSaving();
  const old = peopleIn(value);
  const { value: ids, choose } = useSavedChoice({ value: old, part: PART, saving, set: save });
  const others = [...people.active.values()]
    .filter(({ user_id, is_bot }) => !is_bot && !ids.includes(user_id))
    .toSorted((a, b) => a.full_name.localeCompare(b.full_name));
  const nameOf = (id: number) => personOf(people, id)?.full_name ?? String(id);
  return (
    <div class="settings-field" role="group" aria-label={label}>
      <span>
        <bdi>{label}</bdi> <SavedPart saving={saving} part={PART} />
      </span>
      <ul class="settings-list">
        {ids.map((id) => (
          <li key={id}>
            <bdi>{nameOf(id)}</bdi>
            <Button
              aria-label={t("remove-named", { name: nameOf(id) })}
              onClick={() => void choose(ids.filter((userId) => userId !== id))}
            >
              {t("remove")}
            </Button>
          </li>
        ))}
      </ul>
      <span class="field">
        <select
          aria-label={t("settings-choose-person")}
          value=""
          onChange={({ currentTarget }) => void choose([...ids, Number(currentTarget.value)])}
        >
          <option value="">{t("settings-choose-person")}</option>
          {others.map(({ user_id, full_name }) => (
            <option key={user_id} value={user_id}>
              {full_name}
            </option>
          ))}
        </select>
      </span>
      <Refusal text={saving.errors.value[PART] ?? ""} />
    </div>
  );
}
