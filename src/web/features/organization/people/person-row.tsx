// A row in the list of users: the user, the role, and the actions on the account.
import { useEffect, useRef } from "preact/hooks";
import { addressOf } from "../../../store/address.ts";
import { subscribe, getState } from "../../../store/store.ts";
import { Avatar } from "../../../ui/avatar.tsx";
import { Button, IconButton } from "../../../ui/button.tsx";
import { Icon } from "../../../ui/icon.tsx";
import { closeLayer, openLayer } from "../../../ui/layers.ts";
import { type Layer, layers } from "../../../ui/layer-state.ts";
import { type MenuItems, openMenu } from "../../../ui/menu.tsx";
import { showPermissionLost } from "../../../ui/saving.ts";
import { formatBrief } from "../../../words/dates.ts";
import { t } from "../../../words/words.ts";
import { roleItems } from "../../administration/change-role.ts";
import { helpItems } from "../../administration/menu.tsx";
import { reactivateAccount, openDeactivate } from "../../administration/deactivate.tsx";
import { openProfile, userView } from "../../people/profile-dialog.tsx";
import { roleWord } from "../../people/selectors.ts";
import { type Person, personOf } from "../../people/state.ts";
import { KINDS as BOT_KINDS } from "../../settings/own/bot-kinds.ts";
import { renameUser } from "./actions.ts";
import { BOT_OWNER_DIALOG, ChangeBotOwner } from "./bot-owner.tsx";
import { canAdminister, canRename } from "./permissions.ts";
import { signIns } from "./sign-ins.ts";

export function PersonRow({ user_id, isSelected }: { user_id: number; isSelected: boolean }) {
  subscribe(`user:${user_id}`);
  const { people } = getState();
  const person = personOf(people, user_id);
  if (!person) return null;
  const isDeactivated = people.deactivated.has(user_id);
  return (
    <li
      class="list-row org-person"
      data-key={user_id}
      data-selected={isSelected ? "" : undefined}
      data-off={isDeactivated ? "" : undefined}
    >
      <Avatar person={person} size={36} />
      <div>
        <p class="top">
          <b>
            <a
              href={addressOf(userView(user_id))}
              data-focus=""
              tabIndex={isSelected ? 0 : -1}
              onClick={(event) => {
                if (event.ctrlKey || event.metaKey || event.shiftKey) return;
                // Opens above this page instead of replacing it.
                event.preventDefault();
                openProfile(user_id);
              }}
            >
              <bdi>{person.full_name}</bdi>
            </a>
          </b>
          {user_id === people.me && <small>{t("you-mark")}</small>}
        </p>
        <p class="pre">{lineOf(person)}</p>
      </div>
      <PersonActions person={person} isDeactivated={isDeactivated} />
    </li>
  );
}

function PersonActions({ person, isDeactivated }: { person: Person; isDeactivated: boolean }) {
  subscribe(`user:${person.user_id}`);
  const { full_name: name } = person;
  const canChange = canRename();
  const open = useMenu(canChange, person);
  if (isDeactivated) {
    return (
      <div class="end">
        {canAdminister(person) && (
          <Button
            aria-label={t("org-reactivate-named", { name })}
            onClick={() => void reactivateAccount(person)}
          >
            {t("org-reactivate")}
          </Button>
        )}
      </div>
    );
  }
  return (
    <div class="end">
      <Role person={person} canChange={canAdminister(person)} />
      {canChange && (
        <IconButton
          icon="dots"
          size="s"
          label={t("org-more-of", { name })}
          aria-haspopup="menu"
          onClick={({ currentTarget }) => open(currentTarget, name, menuOf(person))}
        />
      )}
    </div>
  );
}

function Role({ person, canChange }: { person: Person; canChange: boolean }) {
  subscribe(`user:${person.user_id}`);
  const { role, full_name: name } = person;
  const text = t(roleWord({ role, is_bot: false }));
  const open = useMenu(canChange, person);
  if (!canChange) return <small class="org-role">{text}</small>;
  return (
    <Button
      kind="quiet"
      aria-label={t("org-role-of", { name, role: text })}
      aria-haspopup="menu"
      onClick={({ currentTarget }) => open(currentTarget, t("org-role"), roleItems(person))}
    >
      {text}
      <Icon name="down" size={16} />
    </Button>
  );
}

/** Opens a menu, which closes with a notice if the user loses the permission. */
function useMenu(canChange: boolean, { user_id }: Person): typeof openMenu {
  const openedLayer = useRef<Layer | undefined>(undefined);
  useEffect(() => {
    if (canChange || !openedLayer.current || !layers.peek().includes(openedLayer.current)) return;
    closeLayer("menu");
    showPermissionLost();
    // The button disappeared with the permission.
    document.querySelector<HTMLElement>(`[data-key="${user_id}"] [data-focus]`)?.focus();
  }, [canChange]);
  return (...args) => {
    openMenu(...args);
    openedLayer.current = layers.peek().at(-1);
  };
}

function lineOf(person: Person): string {
  const { people } = getState();
  const address = person.delivery_email ?? "";
  if (person.is_bot) {
    const owner = person.bot_owner_id ? personOf(people, person.bot_owner_id) : undefined;
    const kind = t(BOT_KINDS[person.bot_type ?? 1] ?? "settings-bot-generic");
    return owner ? asLines(kind, t("bot-owner-name", { name: owner.full_name })) : kind;
  }
  const now = Date.now() / 1000;
  const activeAt = getState().presence.presences[person.user_id]?.active_timestamp;
  const signedIn = signIns.value.get(person.user_id);
  const texts = [
    signedIn === undefined
      ? t("org-joined", { when: formatBrief(Date.parse(person.date_joined) / 1000, now) })
      : t("org-signed-in", { when: formatBrief(signedIn, now) }),
    ...(activeAt ? [t("org-last-active", { when: formatBrief(activeAt, now) })] : []),
  ];
  return asLines(address, texts.join(" · "));
}

/** Narrow screens show each part on its own line, since rows have a fixed height. */
const asLines = (...lines: string[]) => lines.filter(Boolean).join("\u2003\n");

function menuOf(person: Person): MenuItems {
  const isMe = person.user_id === getState().people.me;
  return [
    { label: t("org-rename"), icon: "pencil", asks: true, run: () => renameUser(person) },
    ...helpItems(person),
    ...(person.is_bot
      ? [
          {
            label: t("org-bot-change-owner"),
            asks: true,
            icon: "person" as const,
            run: () => openLayer(BOT_OWNER_DIALOG, <ChangeBotOwner bot={person} />),
          },
        ]
      : []),
    ...(isMe || !canAdminister(person)
      ? []
      : [
          undefined,
          {
            label: t("org-deactivate"),
            asks: true,
            icon: "lock" as const,
            kind: "danger" as const,
            run: () => openDeactivate(person),
          },
        ]),
  ];
}
