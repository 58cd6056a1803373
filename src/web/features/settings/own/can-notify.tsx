// Chooses whom text that arrives at a bot's webhook may notify: nobody, chosen users, or everyone.
import { useSignal } from "@preact/signals";
import { useId } from "preact/hooks";
import { subscribe, getState } from "../../../store/store.ts";
import { useSavedChoice } from "../../../ui/form/saved-choice.ts";
import { SavedPart } from "../../../ui/form/saved-note.tsx";
import { useSaving } from "../../../ui/saving.ts";
import { t, type TextKey } from "../../../words/words.ts";
import { partsOf, settingOf, systemGroup } from "../../groups/audience-selectors.ts";
import type { GroupSetting } from "../../groups/state.ts";
import type { Picked } from "../../picker/selectors.ts";
import { Picker } from "../../picker/picker.tsx";
import { Refusal } from "../../../ui/form/form.tsx";
import { sendFile } from "./picture.tsx";

type GroupValue = GroupSetting | "everyone";

const CHOICES = ["nobody", "chosen", "everyone"] as const;
type GroupChoice = (typeof CHOICES)[number];

const WORDS: Readonly<Record<GroupChoice, TextKey>> = {
  nobody: "settings-bot-notify-nobody",
  chosen: "settings-bot-notify-chosen",
  everyone: "settings-bot-notify-everyone",
};

const PART = "can_notify";

/** Renders nothing if the user may not see the bot's settings. */
export function CanNotify(bot: { bot_id: number; name: string }) {
  subscribe("bots", "groups", "users");
  const value = getState().people.bots.get(bot.bot_id)?.[PART];
  return value === undefined ? null : <CanNotifyField {...bot} stored={value} />;
}

interface CanNotifyProps {
  bot_id: number;
  name: string;
  stored: GroupValue;
}

function CanNotifyField({ bot_id, name, stored }: CanNotifyProps) {
  /** Users are being selected; nothing is saved before the first one. */
  const isChoosing = useSignal(false);
  const saving = useSaving();
  const id = useId();
  const set = (next: GroupValue) =>
    sendFile("PATCH", `/bots/${bot_id}`, { [PART]: JSON.stringify(next) });
  const onUndo = () => (isChoosing.value = false);
  const saved = useSavedChoice({ value: stored, part: PART, saving, set, onUndo });
  const { value } = saved;
  const picked = value === "everyone" ? [] : pickedOf(value);
  const choice: GroupChoice = isChoosing.value ? "chosen" : choiceOf(value, picked);
  const choose = (next: GroupChoice) => {
    isChoosing.value = next === "chosen";
    if (next === "everyone") void saved.choose(next);
    if (next === "nobody") void saved.choose(settingOf(getState(), [], []));
  };
  const pick = (all: Picked[]) => {
    const ids = (kind: Picked["kind"]) => all.filter((pick) => pick.kind === kind).map((o) => o.id);
    isChoosing.value = true;
    void saved.choose(settingOf(getState(), ids("person"), ids("group")));
  };
  const error = saving.errors.value[PART] ?? "";
  return (
    <div class="settings-field">
      <ChoiceField name={name} choice={choice} choose={choose} hint={`${id}-hint`} />
      {choice === "chosen" && (
        <Picker
          label={t("settings-bot-notify-whom", { name })}
          picked={picked}
          kinds={["group", "person"]}
          canBePicked={(pick) => pick.kind !== "group" || canBeChosen(pick.id)}
          isWrong={error !== ""}
          placeholder={t("nobody")}
          onChange={pick}
        />
      )}
      <p class="hint" id={`${id}-hint`}>
        {t("settings-bot-notify-hint")}
      </p>
      <Refusal text={error} />
      <SavedPart saving={saving} part={PART} />
    </div>
  );
}

interface GroupChoiceProps {
  name: string;
  choice: GroupChoice;
  choose: (next: GroupChoice) => void;
  /** The id of the explanation. */
  hint: string;
}

function ChoiceField({ name, choice, choose, hint }: GroupChoiceProps) {
  return (
    <label>
      {t("settings-bot-notify")}
      <span class="field">
        <select
          aria-label={t("settings-bot-notify-of", { name })}
          aria-describedby={hint}
          value={choice}
          onChange={({ currentTarget }) => choose(currentTarget.value as GroupChoice)}
        >
          {CHOICES.map((choice) => (
            <option key={choice} value={choice}>
              {t(WORDS[choice])}
            </option>
          ))}
        </select>
      </span>
    </label>
  );
}

function choiceOf(value: GroupValue, picked: readonly Picked[]): GroupChoice {
  if (value === "everyone") return value;
  return picked.length === 0 ? "nobody" : "chosen";
}

function pickedOf(value: GroupSetting): Picked[] {
  const { direct_members, direct_subgroups } = partsOf(value);
  const nobody = systemGroup(getState(), "role:nobody").id;
  const groups = direct_subgroups.filter((id) => id !== nobody);
  return [
    ...groups.map((id): Picked => ({ kind: "group", id })),
    ...direct_members.map((id): Picked => ({ kind: "person", id })),
  ];
}

/** An empty field means no one. */
function canBeChosen(id: number): boolean {
  const name = getState().groups.groups.get(id)?.name;
  return name !== undefined && name !== "role:nobody" && name !== "role:internet";
}
