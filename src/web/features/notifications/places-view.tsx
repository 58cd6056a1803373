// Push subscriptions of browsers, apps and ntfy topics, each with test and removal.
import { useSignal } from "@preact/signals";
import { addNtfy, type PushPlace, tryPush } from "../../api/push-calls.ts";
import { sync } from "../../here.ts";
import { Button } from "../../ui/button.tsx";
import { showToast } from "../../ui/toast.tsx";
import { formatMoment } from "../../words/dates.ts";
import { say } from "../../words/words.ts";
import { Form, TextField, useSending } from "../settings/form.tsx";
import { type Act, ListItem } from "../settings/frame.tsx";
import { endPush, lookAtPushes, pushes } from "./push.ts";

export function PushPlaces() {
  const { places, here } = pushes.value ?? { places: [], here: undefined };
  return (
    <section>
      <h3>{say("push-places")}</h3>
      <p class="settings-intro">{say(places.length > 0 ? "push-places-hint" : "push-nowhere")}</p>
      <ul class="settings-list">
        {places.map((place) => (
          <Place key={place.id} place={place} isHere={place.id === here?.id} />
        ))}
      </ul>
      <NewTopic />
    </section>
  );
}

function Place({ place, isHere }: { place: PushPlace; isHere: boolean }) {
  const { kind, endpoint, failure, registered } = place;
  const name = place.name || (kind === "ntfy" ? endpoint : say("push-nameless"));
  return (
    <ListItem again={lookAtPushes}>
      {(act) => (
        <>
          <span>
            <bdi>{name}</bdi> {isHere && <b>({say("push-this")})</b>}
            <small>{say("push-since", { date: formatMoment(registered) })}</small>
            {failure && <small>{say("push-failing", { reason: failure.reason })}</small>}
          </span>
          <PlaceActs place={place} name={name} act={act} />
        </>
      )}
    </ListItem>
  );
}

function PlaceActs({ place, name, act }: { place: PushPlace; name: string; act: Act }) {
  const { id } = place;
  const test = () =>
    act(async () => {
      const { is_taken, reason } = await tryPush(sync, { push_subscription_id: id });
      const words = is_taken ? say("push-taken") : say("push-not-taken", { reason: reason ?? "" });
      showToast({ words, isAlert: !is_taken });
      await lookAtPushes();
    });
  return (
    <>
      <Button aria-label={say("push-test-of", { name })} onClick={() => void test()}>
        {say("push-test")}
      </Button>
      <Button
        aria-label={say("push-remove-of", { name })}
        onClick={() => void act(() => endPush(place))}
      >
        {say("remove")}
      </Button>
    </>
  );
}

function NewTopic() {
  const [topic_url, token] = [useSignal(""), useSignal("")];
  const { refusal, isBusy, send } = useSending();
  const add = () =>
    send(async () => {
      const access_token = token.value === "" ? {} : { access_token: token.value };
      await addNtfy(sync, { topic_url: topic_url.value.trim(), ...access_token });
      topic_url.value = "";
      token.value = "";
      await lookAtPushes();
    });
  return (
    <details class="notifications-new">
      <summary>{say("push-add-ntfy")}</summary>
      <Form send={() => void add()}>
        <TextField
          label={say("push-ntfy-address")}
          value={topic_url}
          refusal={refusal.value}
          type="url"
          placeholder="https://ntfy.example.com/…"
        />
        <TextField label={say("push-ntfy-token")} value={token} autocomplete="off" />
        <Button type="submit" disabled={isBusy.value || topic_url.value.trim() === ""}>
          {say("add")}
        </Button>
      </Form>
    </details>
  );
}
