// Push subscriptions of browsers, apps and ntfy topics, each with test and removal.
import { useSignal } from "@preact/signals";
import { addNtfy, type PushSubscriptionEntry, testPush } from "../../api/push-calls.ts";
import { sync } from "../../sync/session.ts";
import { Button } from "../../ui/button.tsx";
import { showToast } from "../../ui/toast.tsx";
import { formatMoment } from "../../words/dates.ts";
import { t } from "../../words/words.ts";
import { Form, TextField, useSending } from "../../ui/form/form.tsx";
import { type Attempt, ListItem } from "../settings/setting-frame.tsx";
import { disablePush, fetchPushState, pushes } from "./push.ts";

export function PushSubscriptions() {
  const { subscriptions, thisDevice } = pushes.value ?? {
    subscriptions: [],
    thisDevice: undefined,
  };
  return (
    <section>
      <h3>{t("push-devices")}</h3>
      <p class="settings-intro">
        {t(subscriptions.length > 0 ? "push-devices-hint" : "push-no-devices")}
      </p>
      <ul class="settings-list">
        {subscriptions.map((subscription) => (
          <Subscription
            key={subscription.id}
            subscription={subscription}
            isHere={subscription.id === thisDevice?.id}
          />
        ))}
      </ul>
      <NewTopic />
    </section>
  );
}

function Subscription({
  subscription,
  isHere,
}: {
  subscription: PushSubscriptionEntry;
  isHere: boolean;
}) {
  const { kind, endpoint, failure, registered } = subscription;
  const name = subscription.name || (kind === "ntfy" ? endpoint : t("push-unnamed"));
  return (
    <ListItem retry={fetchPushState}>
      {(attempt) => (
        <>
          <span>
            <bdi>{name}</bdi> {isHere && <b>({t("push-this")})</b>}
            <small>{t("push-since", { date: formatMoment(registered) })}</small>
            {failure && <small>{t("push-failing", { reason: failure.reason })}</small>}
          </span>
          <PlaceActs subscription={subscription} name={name} attempt={attempt} />
        </>
      )}
    </ListItem>
  );
}

function PlaceActs({
  subscription,
  name,
  attempt,
}: {
  subscription: PushSubscriptionEntry;
  name: string;
  attempt: Attempt;
}) {
  const { id } = subscription;
  const test = () =>
    attempt(async () => {
      const { is_taken, reason } = await testPush(sync, { push_subscription_id: id });
      const text = is_taken ? t("push-accepted") : t("push-rejected", { reason: reason ?? "" });
      showToast({ text, isAlert: !is_taken });
      await fetchPushState();
    });
  return (
    <>
      <Button aria-label={t("push-test-of", { name })} onClick={() => void test()}>
        {t("push-test")}
      </Button>
      <Button
        aria-label={t("push-remove-of", { name })}
        onClick={() => void attempt(() => disablePush(subscription))}
      >
        {t("remove")}
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
      await fetchPushState();
    });
  return (
    <details class="notifications-new">
      <summary>{t("push-add-ntfy")}</summary>
      <Form send={() => void add()}>
        <TextField
          label={t("push-ntfy-address")}
          value={topic_url}
          refusal={refusal.value}
          type="url"
          placeholder="https://ntfy.example.com/…"
        />
        <TextField label={t("push-ntfy-token")} value={token} autocomplete="off" />
        <Button type="submit" disabled={isBusy.value || topic_url.value.trim() === ""}>
          {t("add")}
        </Button>
      </Form>
    </details>
  );
}
