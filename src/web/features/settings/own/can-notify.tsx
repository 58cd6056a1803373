// Chooses whom text that arrives at a bot's webhook may notify: nobody, chosen users, or everyone.
import { useSignal } from "@preact/signals";
import { useId } from "preact/hooks";
import { keyed, now } from "../../../live.ts";
import { useSaving } from "../../../ui/saving.ts";
import { say, type Word } from "../../../words/words.ts";
import { partsOf, settingOf, systemGroup } from "../../groups/reach.ts";
import type { GroupSetting } from "../../groups/state.ts";
import type { Picked } from "../../picker/candidates.ts";
import { Picker } from "../../picker/picker.tsx";
import { Refusal } from "../form.tsx";
import { sendFile } from "./picture.tsx";

type Value = GroupSetting | "everyone";

const CHOICES = ["nobody", "chosen", "everyone"] as const;
type Choice = (typeof CHOICES)[number];

const WORDS: Readonly<Record<Choice, Word>> = {
  nobody: "settings-bot-notify-nobody",
  chosen: "settings-bot-notify-chosen",
  everyone: "settings-bot-notify-everyone",
};

const PART = "can_notify";

/** Renders nothing if the user may not see the bot's settings. */
export function CanNotify({ bot_id, name }: { bot_id: number; name: string }) {
  keyed("bots", "groups", "users");
  const value = now().people.bots.get(bot_id)?.[PART] as Value | undefined;
  /** Chosen before anybody is: nothing of it is sent yet. */
  const isChoosing = useSignal(false);
  const saving = useSaving();
  const id = useId();
  if (value === undefined) return null;
  const save = (next: Value) =>
    saving.save(PART, () => sendFile("PATCH", `/bots/${bot_id}`, { [PART]: JSON.stringify(next) }));
  const picked = value === "everyone" ? [] : pickedOf(value);
  const choice: Choice = isChoosing.value ? "chosen" : choiceOf(value, picked);
  const choose = (next: Choice) => {
    isChoosing.value = next === "chosen";
    if (next === "everyone") void save(next);
    if (next === "nobody") void save(settingOf(now(), [], []));
  };
  const pick = (all: Picked[]) => {
    const ids = (kind: Picked["kind"]) => all.filter((one) => one.kind === kind).map((o) => o.id);
    isChoosing.value = true;
    void save(settingOf(now(), ids("person"), ids("group")));
  };
  const wrong = saving.wrong.value[PART] ?? "";
  return (
    <div class="settings-field">
      <ChoiceField name={name} choice={choice} choose={choose} hint={`${id}-hint`} />
      {choice === "chosen" && (
        <Picker
          label={say("settings-bot-notify-whom", { name })}
          picked={picked}
          kinds={["group", "person"]}
          mayBe={(one) => one.kind !== "group" || mayBeChosen(one.id)}
          isWrong={wrong !== ""}
          placeholder={say("nobody")}
          onChange={pick}
        />
      )}
      <p class="hint" id={`${id}-hint`}>
        {say("settings-bot-notify-hint")}
      </p>
      <Refusal words={wrong} />
      {saving.saved.value === PART && (
        <span class="settings-saved" role="status">
          {say("saved")}
        </span>
      )}
    </div>
  );
}

interface Chosen {
  name: string;
  choice: Choice;
  choose: (next: Choice) => void;
  /** The id of what explains it. */
  hint: string;
}

function ChoiceField({ name, choice, choose, hint }: Chosen) {
  return (
    <label>
      {say("settings-bot-notify")}
      <span class="field">
        <select
          aria-label={say("settings-bot-notify-of", { name })}
          aria-describedby={hint}
          value={choice}
          onChange={({ currentTarget }) => choose(currentTarget.value as Choice)}
        >
          {CHOICES.map((one) => (
            <option key={one} value={one}>
              {say(WORDS[one])}
            </option>
          ))}
        </select>
      </span>
    </label>
  );
}

function choiceOf(value: Value, picked: readonly Picked[]): Choice {
  if (value === "everyone") return value;
  return picked.length === 0 ? "nobody" : "chosen";
}

function pickedOf(value: GroupSetting): Picked[] {
  const { direct_members, direct_subgroups } = partsOf(value);
  const nobody = systemGroup(now(), "role:nobody")?.id;
  const groups = direct_subgroups.filter((id) => id !== nobody);
  return [
    ...groups.map((id): Picked => ({ kind: "group", id })),
    ...direct_members.map((id): Picked => ({ kind: "person", id })),
  ];
}

/** An empty field says nobody. */
function mayBeChosen(id: number): boolean {
  const name = now().groups.groups.get(id)?.name;
  return name !== undefined && name !== "role:nobody" && name !== "role:internet";
}
