// The user's bots: creation, keys, pictures, tests, deactivation and reactivation.
import { type Signal, useSignal } from "@preact/signals";
import { translateError } from "../../../api/error-translations.ts";
import { ApiError } from "../../../contract/api-error.ts";
import { dropBot, fetchBotKey, renewBotKey } from "../../../api/account-calls.ts";
import { reactivatePerson } from "../../../api/organization-calls.ts";
import { sync } from "../../../sync/session.ts";
import { subscribe, getState } from "../../../store/store.ts";
import { Avatar } from "../../../ui/avatar.tsx";
import { Button } from "../../../ui/button.tsx";
import { showToast } from "../../../ui/toast.tsx";
import { t } from "../../../words/words.ts";
import { OneTimeSecret } from "../account/parts.tsx";
import { type Attempt, ListItem } from "../setting-frame.tsx";
import { confirmAction } from "../confirm.tsx";
import { can } from "../../groups/permissions.ts";
import { holdersText } from "../../picker/permission.tsx";
import type { Person } from "../../people/state.ts";
import { BotCalls } from "./bot-calls.tsx";
import { GENERIC, INCOMING, KINDS, OUTGOING } from "./bot-kinds.ts";
import { CanNotify } from "./can-notify.tsx";
import { NewBot } from "./new-bot.tsx";
import { OwnPicture, sendFile } from "./picture.tsx";

export function BotsPage() {
  subscribe("users", "bots", "groups", "realm");
  const state = getState();
  const { me, active, deactivated } = state.people;
  const ownOf = (people: Iterable<Person>) =>
    [...people].filter(({ is_bot, bot_owner_id }) => is_bot && bot_owner_id === me);
  const [ownBots, off] = [ownOf(active.values()), ownOf(deactivated.values())];
  const canAny = can(state, "can_create_bots_group");
  const canWrite = canAny || can(state, "can_create_write_only_bots_group");
  const keys: ShownKeys = useSignal(new Map());
  return (
    <>
      <section>
        {ownBots.length + off.length === 0 && (
          <p class="settings-intro">{t("settings-bots-none")}</p>
        )}
        <ul class="settings-list">
          {ownBots.map((bot) => (
            <Bot key={bot.user_id} bot={bot} keys={keys} />
          ))}
          {off.map((bot) => (
            <DeactivatedBot
              key={bot.user_id}
              bot={bot}
              canReactivateBot={bot.bot_type === INCOMING ? canWrite : canAny}
            />
          ))}
        </ul>
      </section>
      {!canWrite && (
        <p class="org-note">
          {t("settings-bots-not-allowed")} {holdersText("can_create_bots_group")}
        </p>
      )}
      {canWrite && (
        <NewBot
          kinds={canAny ? [GENERIC, INCOMING, OUTGOING] : [INCOMING]}
          onCreated={({ user_id, api_key }) => showKey(keys, user_id, api_key)}
        />
      )}
    </>
  );
}

/** The API keys on display, by bot. */
type ShownKeys = Signal<ReadonlyMap<number, string>>;

function showKey(keys: ShownKeys, bot_id: number, api_key: string): void {
  keys.value = new Map(keys.value).set(bot_id, api_key);
}

/** If no channel is chosen, the webhook writes to the bot's owner. */
const webhookUrlOf = (key: string) => `${location.origin}/api/v1/external/json?api_key=${key}`;

function Bot({ bot, keys }: { bot: Person; keys: ShownKeys }) {
  const { user_id: bot_id, full_name: name } = bot;
  const key = keys.value.get(bot_id) ?? "";
  return (
    <ListItem class="settings-bot">
      {(attempt) => (
        <>
          <span>
            <Avatar person={bot} size={36} />
            <span>
              <bdi>{name}</bdi>
              <small>
                {kindOf(bot)} · {bot.email}
              </small>
            </span>
          </span>
          <BotActions bot={bot} keys={keys} attempt={attempt} />
          {bot.bot_type !== OUTGOING && <CanNotify bot_id={bot_id} name={name} />}
          {bot.bot_type !== GENERIC && <BotCalls bot_id={bot_id} name={name} attempt={attempt} />}
          {key !== "" && <OneTimeSecret secret={key} text={t("settings-bot-key-of", { name })} />}
          {key !== "" && bot.bot_type === INCOMING && (
            <>
              <OneTimeSecret secret={webhookUrlOf(key)} text={t("settings-bot-hook", { name })} />
              <Button onClick={() => void attempt(() => tryHook(key))}>
                {t("settings-bot-test")}
              </Button>
            </>
          )}
        </>
      )}
    </ListItem>
  );
}

/** Users who may not create such bots cannot reactivate one. */
function DeactivatedBot({ bot, canReactivateBot }: { bot: Person; canReactivateBot: boolean }) {
  const { user_id, full_name: name } = bot;
  const reactivate = async () => {
    await reactivatePerson(sync, { user_id });
    showToast({ text: t("account-reactivated", { name }) });
  };
  return (
    <ListItem>
      {(attempt) => (
        <>
          <span>
            <bdi>{name}</bdi>
            <small>
              {kindOf(bot)} · {t("deactivated")}
            </small>
            {!canReactivateBot && (
              <small>
                {t("settings-bot-stays-off")} {holdersText("can_create_bots_group")}
              </small>
            )}
          </span>
          {canReactivateBot && (
            <Button
              aria-label={t("org-reactivate-named", { name })}
              onClick={() => void attempt(reactivate)}
            >
              {t("org-reactivate")}
            </Button>
          )}
        </>
      )}
    </ListItem>
  );
}

const kindOf = ({ bot_type }: Person) => t(KINDS[bot_type ?? GENERIC] ?? "settings-bot-generic");

function BotActions({ bot, keys, attempt }: { bot: Person; keys: ShownKeys; attempt: Attempt }) {
  const { user_id: bot_id, full_name: name } = bot;
  const show = (ask: typeof fetchBotKey | typeof renewBotKey) =>
    attempt(async () => {
      showKey(keys, bot_id, (await ask(sync, { bot_id })).api_key);
    });
  return (
    <span>
      <Button aria-label={t("settings-bot-key", { name })} onClick={() => void show(fetchBotKey)}>
        {t("settings-bot-key-short")}
      </Button>
      <Button
        aria-label={t("settings-bot-renew", { name })}
        onClick={() =>
          confirmAction(
            {
              title: t("settings-bot-renew", { name }),
              text: t("settings-bot-renew-sure"),
              actionLabel: t("settings-bot-renew-short"),
            },
            () => void show(renewBotKey),
          )
        }
      >
        {t("settings-bot-renew-short")}
      </Button>
      <OwnPicture
        label={t("settings-bot-picture", { name })}
        text={t("settings-picture")}
        send={(file) => sendFile("PATCH", `/bots/${bot_id}`, {}, file)}
      />
      <Button
        kind="danger"
        aria-label={t("settings-bot-end", { name })}
        onClick={() =>
          confirmAction(
            {
              title: t("settings-bot-end", { name }),
              text: t("settings-bot-end-sure"),
              actionLabel: t("settings-deactivate-now"),
            },
            () => void attempt(() => dropBot(sync, { bot_id })),
          )
        }
      >
        {t("settings-deactivate-now")}
      </Button>
    </span>
  );
}

/** Tests it like the program: by the URL alone, without the session. */
async function tryHook(key: string): Promise<void> {
  const response = await fetch(webhookUrlOf(key), {
    method: "POST",
    credentials: "omit",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ test: t("settings-bot-test") }),
  });
  const refusal: { msg?: string } = await response.json();
  if (!response.ok)
    throw new ApiError(response.status, "", await translateError(refusal.msg ?? ""), {});
  showToast({ text: t("settings-bot-tested") });
}
