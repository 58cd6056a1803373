// The card of a user beside the name: status, facts and actions.
import { useLayoutEffect, useRef } from "preact/hooks";
import { addressOf } from "../../store/address.ts";
import { subscribe, getState } from "../../store/store.ts";
import { Avatar } from "../../ui/avatar.tsx";
import { Button } from "../../ui/button.tsx";
import { copyText } from "../../ui/copy.ts";
import { closeLayer, openLayer } from "../../ui/layers.ts";
import type { Box } from "../../ui/anchor-box.ts";
import { Popover } from "../../ui/popover.tsx";
import { directView } from "../../views.ts";
import { formatBrief, formatTimeIn } from "../../words/dates.ts";
import { t } from "../../words/words.ts";
import { withComposer } from "../compose/handle-state.ts";
import { LastSignIn } from "../administration/access-facts.tsx";
import { ManageButton } from "../administration/manage-button.tsx";
import { toggleMute } from "./actions.ts";
import { roleWord, filledProfileFields } from "./selectors.ts";
import { StatusLine } from "./status-line.tsx";
import { type Person, personOf } from "./state.ts";

const ID = "card";

/** `isByKeys`: moves the focus into the card; a card that opens on hover does not take it. */
export function showCard(anchor: Box, user_id: number, isByKeys: boolean): void {
  openLayer(ID, <Card anchor={anchor} user_id={user_id} isByKeys={isByKeys} />);
}

interface CardProps {
  anchor: Box;
  user_id: number;
  isByKeys: boolean;
}

function Card({ anchor, user_id, isByKeys }: CardProps) {
  subscribe(`user:${user_id}`, `status:${user_id}`, `presence:${user_id}`, "muted-users", "fields");
  const node = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (isByKeys) node.current?.querySelector<HTMLElement>("a, button")?.focus();
  }, []);
  const { people } = getState();
  const person = personOf(people, user_id);
  if (!person) return null;
  return (
    <Popover
      id={ID}
      anchor={anchor}
      label={t("card-of", { name: person.full_name })}
      class="people-card"
    >
      <div ref={node}>
        <header>
          <Avatar person={person} size={56} />
          <div>
            <h2>
              <bdi>{person.full_name}</bdi>
            </h2>
            <p>{t(people.deactivated.has(user_id) ? "deactivated" : roleWord(person))}</p>
            {person.delivery_email !== null && (
              <p>
                <bdi>{person.delivery_email}</bdi>
              </p>
            )}
          </div>
        </header>
        <ProfileFacts person={person} />
        <CardActions person={person} />
      </div>
    </Popover>
  );
}

function ProfileFacts({ person }: { person: Person }) {
  subscribe(`user:${person.user_id}`, `presence:${person.user_id}`, "fields");
  const { people, presence } = getState();
  const active = presence.presences[person.user_id]?.active_timestamp;
  const seconds = Date.now() / 1000;
  const nameOf = (id: number) => personOf(people, id)?.full_name ?? t("unknown-user");
  return (
    <>
      <StatusLine user_id={person.user_id} />
      {person.timezone && !person.is_bot && (
        <p class="people-fact">
          {t("local-time", { time: formatTimeIn(person.timezone, seconds) })}
        </p>
      )}
      {active !== undefined && active > 0 && (
        <p class="people-fact">{t("was-active", { time: formatBrief(active, seconds) })}</p>
      )}
      <LastSignIn person={person} />
      <dl>
        {filledProfileFields(person, people.fields, nameOf).map(({ id, name, text, url }) => (
          <div key={id}>
            <dt>{name}</dt>
            <dd dir="auto">
              {url === undefined ? (
                text
              ) : (
                <a href={url} target="_blank" rel="noopener noreferrer">
                  {text}
                </a>
              )}
            </dd>
          </div>
        ))}
      </dl>
    </>
  );
}

function CardActions({ person }: { person: Person }) {
  subscribe(`user:${person.user_id}`, "muted-users");
  const { people } = getState();
  const { user_id, full_name } = person;
  const isMe = user_id === people.me;
  const isMuted = people.muted.has(user_id);
  const mention = `@**${full_name}|${user_id}**`;
  const close = () => closeLayer(ID);
  const sender = { operator: "sender", operand: `${user_id}`, negated: false };
  return (
    <footer>
      {!people.deactivated.has(user_id) && (
        <a class="btn" href={addressOf(directView([user_id], people.me))} onClick={close}>
          {t("write-direct")}
        </a>
      )}
      <Button
        onClick={() => {
          close();
          withComposer((composer) => composer.mention(full_name, user_id));
        }}
      >
        {t("mention-person")}
      </Button>
      <Button kind="quiet" onClick={() => copyText(mention, t("mention-copied"))}>
        {t("copy-mention")}
      </Button>
      <a
        class="btn"
        data-kind="quiet"
        href={addressOf({ kind: "messages", terms: [sender] })}
        onClick={close}
      >
        {t("their-messages")}
      </a>
      <a
        class="btn"
        data-kind="quiet"
        href={addressOf({ kind: "page", page: "user", path: [`${user_id}`] })}
        onClick={close}
      >
        {t("profile")}
      </a>
      {!isMe && (
        <Button kind="quiet" isPressed={isMuted} onClick={() => toggleMute(user_id)}>
          {t(isMuted ? "unmute-person" : "mute")}
        </Button>
      )}
      <ManageButton person={person} leave={close} />
    </footer>
  );
}
