// The form for creating a bot of any type that the user may create.
import { useSignal } from "@preact/signals";
import { Button } from "../../../ui/button.tsx";
import { t } from "../../../words/words.ts";
import { Form, Refusal, TextField, useSending } from "../../../ui/form/form.tsx";
import { firstOf } from "../../../content/item-at.ts";
import { KINDS, OUTGOING } from "./bot-kinds.ts";
import { sendFile } from "./picture.tsx";

const FIELDS = { url: ["payload_url"], short: ["short_name", "email"], name: ["full_name"] };

interface CreatedBot {
  user_id: number;
  api_key: string;
}

interface NewBotProps {
  kinds: readonly number[];
  onCreated: (bot: CreatedBot) => void;
}

export function NewBot({ kinds, onCreated }: NewBotProps) {
  const kind = useSignal(firstOf(kinds));
  const [name, short, url] = [useSignal(""), useSignal(""), useSignal("")];
  const { errorOf, isBusy, send } = useSending(FIELDS);
  const make = async () => {
    const params = {
      full_name: name.value,
      short_name: short.value,
      bot_type: kind.value,
      ...(kind.value === OUTGOING && { payload_url: JSON.stringify(url.value) }),
    };
    const create = async () => {
      const bot: CreatedBot = await sendFile("POST", "/bots", params);
      onCreated(bot);
    };
    if (!(await send(create))) return;
    name.value = short.value = url.value = "";
  };
  return (
    <section>
      <h3>{t("settings-bot-new")}</h3>
      <Form send={() => void make()}>
        <label class="settings-field">
          {t("settings-bot-kind")}
          <span class="field">
            <select
              value={kind.value}
              onChange={({ currentTarget }) => (kind.value = Number(currentTarget.value))}
            >
              {kinds.map((kind) => (
                <option key={kind} value={kind}>
                  {t(KINDS[kind] ?? "settings-bot-generic")}
                </option>
              ))}
            </select>
          </span>
        </label>
        <TextField label={t("name")} value={name} refusal={errorOf("name")} />
        <TextField label={t("settings-bot-short")} value={short} refusal={errorOf("short")} />
        {kind.value === OUTGOING && (
          <TextField
            label={t("settings-bot-url")}
            value={url}
            refusal={errorOf("url")}
            type="url"
          />
        )}
        <Refusal text={errorOf("")} />
        <Button type="submit" disabled={isBusy.value || !name.value || !short.value}>
          {t("settings-bot-make")}
        </Button>
      </Form>
    </section>
  );
}
