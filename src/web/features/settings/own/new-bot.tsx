// The form that makes a bot of any kind that one may make.
import { useSignal } from "@preact/signals";
import { Button } from "../../../ui/button.tsx";
import { say } from "../../../words/words.ts";
import { Form, Refusal, TextField, useSending } from "../form.tsx";
import { KINDS, OUTGOING } from "./bot-kinds.ts";
import { sendFile } from "./picture.tsx";

/** The first that fits: a bot's short name is in its address. */
const FIELDS = { url: /address/, short: /username|short_name|Email/, name: /[Nn]ame|format/ };

export function NewBot({ kinds }: { kinds: readonly number[] }) {
  const kind = useSignal(kinds[0]!);
  const [name, short, url] = [useSignal(""), useSignal(""), useSignal("")];
  const { of, isBusy, send } = useSending(FIELDS);
  const make = async () => {
    const asked = {
      full_name: name.value,
      short_name: short.value,
      bot_type: kind.value,
      ...(kind.value === OUTGOING && { payload_url: JSON.stringify(url.value) }),
    };
    if (!(await send(() => sendFile("POST", "/bots", asked)))) return;
    name.value = short.value = url.value = "";
  };
  return (
    <section>
      <h3>{say("settings-bot-new")}</h3>
      <Form send={() => void make()}>
        <label class="settings-field">
          {say("settings-bot-kind")}
          <span class="field">
            <select
              value={kind.value}
              onChange={({ currentTarget }) => (kind.value = Number(currentTarget.value))}
            >
              {kinds.map((one) => (
                <option key={one} value={one}>
                  {say(KINDS[one]!)}
                </option>
              ))}
            </select>
          </span>
        </label>
        <TextField label={say("name")} value={name} refusal={of("name")} />
        <TextField label={say("settings-bot-short")} value={short} refusal={of("short")} />
        {kind.value === OUTGOING && (
          <TextField label={say("settings-bot-url")} value={url} refusal={of("url")} type="url" />
        )}
        <Refusal words={of("")} />
        <Button type="submit" disabled={isBusy.value || !name.value || !short.value}>
          {say("settings-bot-make")}
        </Button>
      </Form>
    </section>
  );
}
