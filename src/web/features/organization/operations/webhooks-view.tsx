// Bots with incoming and outgoing webhooks, with their URLs.
import { useSignal } from "@preact/signals";
import { addressOf } from "../../../store/address.ts";
import { subscribe, getState } from "../../../store/store.ts";
import { Avatar } from "../../../ui/avatar.tsx";
import { t } from "../../../words/words.ts";
import { compareNames } from "../../../matching.ts";
import { type Person, personOf } from "../../people/state.ts";
import { CopiedLink } from "../invitations/link-view.tsx";
import { SavedPart } from "../../../ui/form/saved-note.tsx";
import { useSaving } from "../../../ui/saving.ts";
import { INCOMING, OUTGOING } from "../../settings/own/bot-kinds.ts";
import { BotCalls } from "../../settings/own/bot-calls.tsx";
import { CanNotify } from "../../settings/own/can-notify.tsx";
import { Refusal } from "../../../ui/form/form.tsx";
import { sendFile } from "../../settings/own/picture.tsx";
import { Empty, ListRow } from "../content/list-parts.tsx";
import { isAdministrator } from "../permissions.ts";

const EXAMPLE = "/api/v1/external/json?api_key=KEY&stream=CHANNEL&topic=TOPIC";

export function WebhooksPage() {
  subscribe("users", "bots");
  const botsOfKind = (kind: number) =>
    [...getState().people.active.values()]
      .filter(({ bot_type }) => bot_type === kind)
      .sort((a, b) => compareNames(a.full_name, b.full_name));
  const [incoming, outgoing] = [botsOfKind(INCOMING), botsOfKind(OUTGOING)];
  return (
    <>
      <section>
        <h3>{t("org-webhooks-incoming")}</h3>
        <p class="settings-intro">
          {t("org-webhooks-incoming-hint")}{" "}
          <a href={addressOf({ kind: "page", page: "settings", path: ["bots"] })}>
            {t("settings-bots")}
          </a>
        </p>
        <div class="settings-form">
          <CopiedLink label={t("org-webhook-example")} link={location.origin + EXAMPLE} />
        </div>
        <Empty isShown={incoming.length === 0} textKey="org-webhooks-none" />
        <ul class="settings-list">
          {incoming.map((bot) => (
            <Row key={bot.user_id} bot={bot} />
          ))}
        </ul>
      </section>
      <section>
        <h3>{t("org-webhooks-outgoing")}</h3>
        <p class="settings-intro">{t("org-webhooks-outgoing-hint")}</p>
        <Empty isShown={outgoing.length === 0} textKey="org-webhooks-none" />
        <ul class="settings-list">
          {outgoing.map((bot) => (
            <Row key={bot.user_id} bot={bot} />
          ))}
        </ul>
      </section>
    </>
  );
}

function Row({ bot }: { bot: Person }) {
  subscribe(`user:${bot.user_id}`, "bots");
  const { people } = getState();
  const owner = bot.bot_owner_id ? personOf(people, bot.bot_owner_id)?.full_name : undefined;
  const canChange = isAdministrator() || bot.bot_owner_id === people.me;
  const [service] = people.bots.get(bot.user_id)?.services ?? [];
  const url = service && "base_url" in service ? service.base_url : undefined;
  return (
    <ListRow
      lead={<Avatar person={bot} size={28} />}
      name={bot.full_name}
      note={owner === undefined ? undefined : t("bot-owner-name", { name: owner })}
    >
      {(attempt) => (
        <>
          {canChange && url !== undefined && <WebhookTarget bot={bot} url={url} />}
          {canChange && bot.bot_type === INCOMING && (
            <CanNotify bot_id={bot.user_id} name={bot.full_name} />
          )}
          {canChange && <BotCalls bot_id={bot.user_id} name={bot.full_name} attempt={attempt} />}
        </>
      )}
    </ListRow>
  );
}

function WebhookTarget({ bot: { user_id, full_name }, url }: { bot: Person; url: string }) {
  const text = useSignal(url);
  const saving = useSaving();
  const set = async (address: string) => {
    const params = { service_payload_url: JSON.stringify(address) };
    await sendFile("PATCH", `/bots/${user_id}`, params);
    text.value = address;
  };
  const save = () => {
    const address = text.value;
    if (address === url) return;
    void saving.save(
      "url",
      () => set(address),
      () => set(url),
    );
  };
  const error = saving.errors.value["url"] ?? "";
  return (
    <div class="settings-field">
      <span class="field" data-wrong={error === "" ? undefined : ""}>
        <input
          type="url"
          aria-label={`${t("org-webhook-to")} ${full_name}`}
          aria-invalid={error !== ""}
          aria-describedby={`url-${user_id}-wrong`}
          value={text.value}
          onInput={({ currentTarget }) => (text.value = currentTarget.value)}
          onChange={save}
        />
      </span>
      <Refusal id={`url-${user_id}-wrong`} text={error} />
      <SavedPart saving={saving} part="url" />
    </div>
  );
}
