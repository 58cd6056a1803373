// A field of the profile that holds people.
import { now } from "../../../live.ts";
import { Button } from "../../../ui/button.tsx";
import { say } from "../../../words/words.ts";
import { personOf } from "../../people/state.ts";
import { Refusal, useSending } from "../form.tsx";

interface Given {
  label: string;
  /** A list of ids, as JSON. */
  value: string;
  save: (ids: number[]) => Promise<unknown>;
}

export function PeopleField({ label, value, save }: Given) {
  const { people } = now();
  const { refusal, send } = useSending();
  const ids = value === "" ? [] : (JSON.parse(value) as number[]);
  const others = [...people.active.values()]
    .filter(({ user_id, is_bot }) => !is_bot && !ids.includes(user_id))
    .toSorted((a, b) => a.full_name.localeCompare(b.full_name));
  const nameOf = (id: number) => personOf(people, id)?.full_name ?? String(id);
  return (
    <div class="settings-field" role="group" aria-label={label}>
      <bdi>{label}</bdi>
      <ul class="settings-list">
        {ids.map((id) => (
          <li key={id}>
            <bdi>{nameOf(id)}</bdi>
            <Button
              aria-label={say("remove-named", { name: nameOf(id) })}
              onClick={() => void send(() => save(ids.filter((one) => one !== id)))}
            >
              {say("remove")}
            </Button>
          </li>
        ))}
      </ul>
      <span class="field">
        <select
          aria-label={say("settings-choose-person")}
          value=""
          onChange={({ currentTarget }) =>
            void send(() => save([...ids, Number(currentTarget.value)]))
          }
        >
          <option value="">{say("settings-choose-person")}</option>
          {others.map(({ user_id, full_name }) => (
            <option key={user_id} value={user_id}>
              {full_name}
            </option>
          ))}
        </select>
      </span>
      <Refusal words={refusal.value} />
    </div>
  );
}
