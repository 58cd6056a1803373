// The full profile of a user, with channels, groups and actions.
import { addressOf, go } from "../../store/address.ts";
import { subscribe, getState } from "../../store/store.ts";
import { Avatar } from "../../ui/avatar.tsx";
import { Button } from "../../ui/button.tsx";
import { Colored } from "../../ui/colored.tsx";
import { copyText } from "../../ui/copy.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { Icon } from "../../ui/icon.tsx";
import { openLayer } from "../../ui/layers.ts";
import { useRequest } from "../../ui/loading/use-request.ts";
import { channelView, directView, type View } from "../../views.ts";
import { formatBrief, formatDay, formatTimeIn } from "../../words/dates.ts";
import { t } from "../../words/words.ts";
import { fetchChannelsOf } from "../../api/manage-calls.ts";
import { sync } from "../../sync/session.ts";
import { groupsOf } from "../groups/audience-selectors.ts";
import { groupView } from "../groups/route-rules.ts";
import { compareNames } from "../../matching.ts";
import { channelIcon } from "../typeahead/names.ts";
import { isAdministrator } from "../organization/permissions.ts";
import { LastSignIn } from "../administration/access-facts.tsx";
import { ManageButton } from "../administration/manage-button.tsx";
import { toggleMute } from "./actions.ts";
import { roleWord, filledProfileFields } from "./selectors.ts";
import { StatusLine } from "./status-line.tsx";
import { type Person, personOf } from "./state.ts";

const ID = "profile";

export function openProfile(user_id: number, onClose?: () => void): void {
  openLayer(ID, <Profile user_id={user_id} />, onClose);
}

function Profile({ user_id }: { user_id: number }) {
  subscribe(`user:${user_id}`, `status:${user_id}`, `presence:${user_id}`, "fields", "muted-users");
  const { people } = getState();
  const person = personOf(people, user_id);
  return (
    <Dialog id={ID} title={t("profile")}>
      {person ? (
        <div class="profile">
          <Top person={person} />
          <ProfileActions person={person} />
          <LastSignIn person={person} />
          <ProfileFacts person={person} />
          <GroupsAndChannels user_id={user_id} />
        </div>
      ) : (
        <p>{t("no-such-person")}</p>
      )}
    </Dialog>
  );
}

function Top({ person }: { person: Person }) {
  subscribe(`user:${person.user_id}`);
  const isDeactivated = getState().people.deactivated.has(person.user_id);
  return (
    <div class="profile-top">
      <Avatar person={person} size={72} />
      <div>
        <h3>
          <bdi>{person.full_name}</bdi>
        </h3>
        <p>{t(isDeactivated ? "deactivated" : roleWord(person))}</p>
        <StatusLine user_id={person.user_id} />
      </div>
    </div>
  );
}

function ProfileFacts({ person }: { person: Person }) {
  subscribe(`user:${person.user_id}`, `presence:${person.user_id}`, "fields");
  const { people, presence } = getState();
  const seconds = Date.now() / 1000;
  const active = presence.presences[person.user_id]?.active_timestamp ?? 0;
  const nameOf = (id: number) => personOf(people, id)?.full_name ?? t("unknown-user");
  const owner = person.bot_owner_id;
  const joined = Date.parse(person.date_joined) / 1000;
  return (
    <dl>
      {person.delivery_email !== null && (
        <>
          <dt>{t("mail")}</dt>
          <dd>
            <a href={`mailto:${person.delivery_email}`}>{person.delivery_email}</a>
          </dd>
        </>
      )}
      {person.timezone && !person.is_bot && (
        <>
          <dt>{t("local-time-of")}</dt>
          <dd>
            {formatTimeIn(person.timezone, seconds)} ({person.timezone.replaceAll("_", " ")})
          </dd>
        </>
      )}
      {active > 0 && (
        <>
          <dt>{t("last-active")}</dt>
          <dd>{formatBrief(active, seconds)}</dd>
        </>
      )}
      {owner !== undefined && owner !== null && (
        <>
          <dt>{t("bot-owner")}</dt>
          <dd>
            <a href={addressOf(userView(owner))}>{nameOf(owner)}</a>
          </dd>
        </>
      )}
      {Number.isFinite(joined) && (
        <>
          <dt>{t("joined-date")}</dt>
          <dd>{formatDay(joined, seconds)}</dd>
        </>
      )}
      <Fields person={person} nameOf={nameOf} />
    </dl>
  );
}

function Fields({ person, nameOf }: { person: Person; nameOf: (id: number) => string }) {
  subscribe(`user:${person.user_id}`, "fields");
  const { fields } = getState().people;
  return (
    <>
      {filledProfileFields(person, fields, nameOf).map(({ id, name, text, url }) => (
        <>
          <dt key={`${id} name`}>{name}</dt>
          <dd key={id} dir="auto">
            {url === undefined ? (
              text
            ) : (
              <a href={url} target="_blank" rel="noopener noreferrer">
                {text}
              </a>
            )}
          </dd>
        </>
      ))}
    </>
  );
}

export const userView = (user_id: number): View => ({
  kind: "page",
  page: "user",
  path: [`${user_id}`],
});

function ProfileActions({ person }: { person: Person }) {
  subscribe(`user:${person.user_id}`, "muted-users");
  const { people } = getState();
  const { user_id, full_name } = person;
  const isMe = user_id === people.me;
  const isMuted = people.muted.has(user_id);
  return (
    <div class="acts">
      {!people.deactivated.has(user_id) && (
        <a class="btn" href={addressOf(directView([user_id], people.me))}>
          {t("write-direct")}
        </a>
      )}
      <Button
        kind="quiet"
        onClick={() => copyText(`@**${full_name}|${user_id}**`, t("mention-copied"))}
      >
        {t("copy-mention")}
      </Button>
      <Button kind="quiet" onClick={() => copyText(linkTo(user_id), t("link-copied"))}>
        {t("copy-link")}
      </Button>
      {!isMe && (
        <Button kind="quiet" isPressed={isMuted} onClick={() => toggleMute(user_id)}>
          {t(isMuted ? "unmute-person" : "mute")}
        </Button>
      )}
      {!isMe && isAdministrator() && !people.deactivated.has(user_id) && (
        <Button kind="quiet" onClick={() => void setStatus(user_id)}>
          {t("set-status")}
        </Button>
      )}
      <ManageButton person={person} />
      {isMe && (
        <Button
          kind="quiet"
          onClick={() => go({ kind: "page", page: "settings", path: ["profile"] })}
        >
          {t("edit-own-profile")}
        </Button>
      )}
    </div>
  );
}

const setStatus = async (user_id: number): Promise<void> =>
  (await import("../presence/status.tsx")).openStatus(user_id);

const linkTo = (user_id: number): string => `${location.origin}/${addressOf(userView(user_id))}`;

/** The user's groups, and the channels that the current user may know of. */
function GroupsAndChannels({ user_id }: { user_id: number }) {
  subscribe("groups", "channels");
  const state = getState();
  // System bots are in no groups and channels.
  const key = state.people.active.has(user_id) ? user_id : undefined;
  const response = useRequest(key, (signal) => fetchChannelsOf(sync, { user_id }, { signal }));
  const groups = groupsOf(state, user_id);
  const channels = (response?.subscribed_channel_ids ?? [])
    .flatMap((id) => state.channels.channels.get(id)?.row ?? [])
    .filter(({ is_archived }) => !is_archived)
    .sort((a, b) => compareNames(a.name, b.name));
  return (
    <>
      {groups.length > 0 && (
        <div>
          <h4>{t("groups")}</h4>
          <div class="chips">
            {groups.map((group) => (
              <a key={group.id} href={addressOf(groupView(group.id))}>
                <Icon name="people" size={16} />
                <bdi>{group.name}</bdi>
              </a>
            ))}
          </div>
        </div>
      )}
      {channels.length > 0 && (
        <div>
          <h4>{t("channels")}</h4>
          <div class="chips">
            {channels.map((row) => (
              <a key={row.stream_id} href={addressOf(channelView(row.stream_id))}>
                <Colored color={row.color} class="ch">
                  <Icon name={channelIcon(row)} size={16} />
                </Colored>
                <bdi>{row.name}</bdi>
              </a>
            ))}
          </div>
        </div>
      )}
    </>
  );
}
