// The users of an archive: the address and role with which each is imported.
import { useSignal } from "@preact/signals";
import type { ImportUser, MappedUser } from "../../../../contract/shapes/imports.ts";
import { Button } from "../../../ui/button.tsx";
import { t } from "../../../words/words.ts";
import { roleWord } from "../../people/selectors.ts";
import { mapped, saveMapped } from "./page-data.ts";

/** Rows that are added at once, because an archive may have thousands of users. */
const ROWS_AT_ONCE = 50;
/** Names of roles as the server takes them. "" keeps the role of the plan. */
const ROLES = [
  ["owner", 100],
  ["administrator", 200],
  ["moderator", 300],
  ["member", 400],
  ["guest", 600],
] as const;

const UNMAPPED: Pick<MappedUser, "email" | "role"> = { email: "", role: "" };

export function UserTable({ users }: { users: readonly ImportUser[] }) {
  const limit = useSignal(ROWS_AT_ONCE);
  const people = users.filter(({ is_bot }) => !is_bot);
  return (
    <div class="import-users" role="region" aria-label={t("import-users")} tabIndex={0}>
      <table>
        <caption>{t("import-users")}</caption>
        <thead>
          <tr>
            <th scope="col">{t("import-user")}</th>
            <th scope="col">{t("import-address")}</th>
            <th scope="col">{t("import-role")}</th>
          </tr>
        </thead>
        <tbody>
          {people.slice(0, limit.value).map((user) => (
            <UserRow key={user.source} user={user} />
          ))}
        </tbody>
      </table>
      {people.length > limit.value && (
        <Button onClick={() => (limit.value += ROWS_AT_ONCE)}>{t("import-more-users")}</Button>
      )}
    </div>
  );
}

function UserRow({ user }: { user: ImportUser }) {
  const { source, full_name: name } = user;
  const { email, role } = mapped.value.get(source) ?? UNMAPPED;
  const change = (next: Partial<MappedUser>): void => {
    // Uses the current value, because a change may be newer than the last rendering.
    const changed = { source, ...(mapped.peek().get(source) ?? UNMAPPED), ...next };
    mapped.value = new Map(mapped.peek()).set(source, changed);
    saveMapped(changed);
  };
  /** The address of the archive is stored as "no choice". */
  const changedAddress = (address: string) => (address === user.email ? "" : address);
  return (
    <tr>
      <th scope="row">
        <bdi>{name}</bdi>
      </th>
      <td>
        <span class="field">
          <input
            type="email"
            autocomplete="off"
            value={email || (user.email ?? "")}
            placeholder={t("import-no-address")}
            aria-label={t("import-address-of", { name })}
            onChange={({ currentTarget }) => {
              change({ email: changedAddress(currentTarget.value.trim()) });
            }}
          />
        </span>
      </td>
      <td>
        <span class="field">
          <select
            value={role}
            aria-label={t("import-role-of", { name })}
            onChange={({ currentTarget }) => {
              change({ role: ROLES[currentTarget.selectedIndex - 1]?.[0] ?? "" });
            }}
          >
            <option value="">{t("import-role-kept", { role: roleName(user.role) })}</option>
            {ROLES.map(([label, number]) => (
              <option key={label} value={label}>
                {roleName(number)}
              </option>
            ))}
          </select>
        </span>
      </td>
    </tr>
  );
}

const roleName = (role: number) => t(roleWord({ role, is_bot: false }));
