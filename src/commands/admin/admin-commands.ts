// Commands of the operator on an organization, with or without a running server.
import type { Static } from "typebox";
import type { BackupPlace, MailConfig } from "../../contract/config.ts";
import { userNotFound } from "../../contract/errors/channels.ts";
import { Refusal } from "../../contract/errors/general.ts";
import { deletedForGood, passwordTooWeak } from "../../contract/errors/people.ts";
import { createUser } from "../../features/accounts/actions.ts";
import {
  closeQueues,
  deactivateUser,
  eraseUserData,
  deletionScope,
  type erasureParams,
} from "../../features/accounts/activation.ts";
import { type Erasure, erasureOf, withAuditCount } from "../../features/accounts/erasure-report.ts";
import { verifyChain } from "../../features/audit/chain.ts";
import { listActs, type AuditFilter } from "../../features/audit/list.ts";
import { recordAct } from "../../features/audit/record.ts";
import { backUp, type BackupResult, type Order } from "../../features/backup/run.ts";
import { openTarget } from "../../features/backup/targets-outbound.ts";
import { newApiKey } from "../../features/keys/actions.ts";
import type { NewOrganization } from "../../features/organization/actions.ts";
import { reactivateOrganization } from "../../features/organization/deactivate.ts";
import { createOrganizationWithTopics } from "../../features/organization/create-organization.ts";
import { markup } from "../../features/i18n/markup.ts";
import { setPassword } from "../../features/passwords/actions.ts";
import { hashPassword } from "../../features/passwords/hash.ts";
import { createFirstReset, openReset, resetUrl } from "../../features/passwords/reset.ts";
import { isStrongPassword } from "../../features/passwords/strength.ts";
import { accessToAdminister } from "../../features/people/access.ts";
import { everyone } from "../../features/people/everyone-wire.ts";
import { newKeyFor, encryptedKey } from "../../features/secrets/encrypted.ts";
import { dropTwoFactor } from "../../features/two-factor/recovery.ts";
import { type OutgoingEmail, MailFailed, sendEmail } from "../../outbound/mail.ts";
import type { Realm } from "../../realm.ts";
import type { User } from "../../schema/records.ts";
import { foldedAddress } from "../../text/email-address.ts";
import { accountNamed, ownerNamed } from "./as-owner.ts";
import { movingCommands } from "./moving-commands.ts";
import { queryCommands } from "./queries.ts";
import { ownerCommands } from "./owner-commands.ts";
import { upkeepCommands } from "./maintenance.ts";

interface BackupOrder extends Omit<Order, "is_serving"> {
  to: BackupPlace;
}

export interface Person {
  email: string;
  full_name: string;
  role: number;
  password?: string;
}

type ListedUser = Pick<User, "user_id" | "full_name" | "role" | "is_active"> & {
  email: string;
  is_bot: boolean;
};

interface CreateUsers {
  people: Person[];
  /** Returns a link for each account, with which its user sets a password. */
  links?: boolean;
}

interface AllowResult {
  email: string;
  right: "can_create_users" | "can_change_user_emails" | "can_forge_sender";
  allowed: boolean;
}

interface Erased {
  user_id: number;
  actions: Static<typeof erasureParams>;
  by?: string | undefined;
}

const KEY_CLIENT = "skein";

/** Parameters and results are JSON, because they may be sent to a running server. */
export const adminCommands = {
  ...upkeepCommands,
  ...movingCommands,
  ...ownerCommands,
  ...queryCommands,

  async init(
    realm: Realm,
    { owner, ...params }: Omit<NewOrganization, "owner"> & { owner: Omit<Person, "role"> },
  ) {
    const password_hash = await hashOf(owner.password, [owner.full_name, owner.email, params.name]);
    return realm.write((tx) => {
      const { email, full_name } = owner;
      const user = createOrganizationWithTopics(tx, {
        ...params,
        owner: { email, full_name, password_hash },
      });
      const api_key = newApiKey(tx, user, KEY_CLIENT);
      return { realm_name: tx.settings.name, user_id: user.user_id, email, api_key };
    });
  },

  /** Creates all of the users or none. */
  async createUsers(realm: Realm, { people, links = false }: CreateUsers) {
    const hashes: (string | undefined)[] = [];
    for (const person of people) {
      const { full_name, email, password } = person;
      const guessableWords = [full_name, email, realm.read.settings.name];
      hashes.push(await withFieldName(person, () => hashOf(password, guessableWords)));
    }
    const keys = links ? people.map(() => encryptedKey(realm)) : [];
    return realm.write((tx) =>
      people.map((person, index) => {
        const { email, full_name, role } = person;
        const newUser = { email, full_name, role, password_hash: hashes[index] };
        const user = withFieldName(person, () => createUser(tx, newUser));
        const api_key = newApiKey(tx, user, KEY_CLIENT);
        const created = {
          user_id: user.user_id,
          email: user.delivery_email,
          full_name,
          role,
          api_key,
        };
        const key = keys[index];
        if (!key) return created;
        createFirstReset(tx, user, key);
        return { ...created, link: resetUrl(realm, key.key) };
      }),
    );
  },

  async listUsers(realm: Realm, _nothing: object): Promise<ListedUser[]> {
    const people = everyone(realm.read).filter((user) => !user.is_system_bot);
    return people.map(({ user_id, delivery_email, full_name, role, is_active, bot_type }) => {
      const is_bot = bot_type !== null;
      return { user_id, email: delivery_email, full_name, role, is_active, is_bot };
    });
  },

  async makeKey(realm: Realm, { email }: { email: string }) {
    const key = newKeyFor(realm, accountNamed(realm.read, email));
    return realm.write((tx) => {
      const user = accountNamed(tx, email);
      const api_key = newApiKey(tx, user, KEY_CLIENT, key);
      return { user_id: user.user_id, email: user.delivery_email, api_key };
    });
  },

  async allow(realm: Realm, { email, right, allowed }: AllowResult) {
    return realm.write((tx) => {
      const user = accountNamed(tx, email);
      tx.users.put({ ...user, [right]: allowed });
      return { user_id: user.user_id, email: user.delivery_email };
    });
  },

  async disableTwoFactor(realm: Realm, { email }: { email: string }) {
    return realm.write((tx) => {
      const user = accountNamed(tx, email);
      dropTwoFactor(tx, user.user_id);
      return { user_id: user.user_id, email: user.delivery_email };
    });
  },

  /** Returns a plan of the changes that `eraseUser` would make. */
  async planErasure({ read }: Realm, { user_id, actions }: Omit<Erased, "by">): Promise<Erasure> {
    return erasureOf(read, user_id, deletionScope(actions));
  },

  /** Works for deactivated accounts too, unlike the API. */
  async eraseUser(realm: Realm, { user_id, actions, by }: Erased) {
    const erasure = erasureOf(realm.read, user_id, deletionScope(actions));
    const deactivated = await realm.write((tx) => {
      const owner = ownerNamed(tx, by);
      const { is_active, is_deleted } = accessToAdminister(tx, owner, user_id);
      if (is_deleted) throw deletedForGood();
      const users = is_active ? deactivateUser(tx, owner, user_id) : [];
      eraseUserData(tx, owner, user_id, actions);
      return users;
    });
    closeQueues(realm, deactivated);
    return { user_id, ...withAuditCount(erasure, realm.read, user_id) };
  },

  async reactivate(realm: Realm, _nothing: object) {
    return realm.write((tx) => {
      reactivateOrganization(tx);
      return { realm_name: tx.settings.name };
    });
  },

  /**
   * Creates a link to set a password, for servers without email, or if the email does not arrive.
   */
  async makeResetLink(realm: Realm, { email }: { email: string }) {
    const key = encryptedKey(realm);
    return realm.write((tx) => {
      const user = accountNamed(tx, email);
      openReset(tx, user, key);
      recordAct(tx, { act: "password_link_made", on: "user", on_id: user.user_id });
      return { user_id: user.user_id, email: user.delivery_email, link: resetUrl(realm, key.key) };
    });
  },

  /** Uses the server's mail settings, or those of the command. */
  async testMail(
    realm: Realm,
    { to, mail = realm.config.mail }: { to: string; mail?: MailConfig | undefined },
  ): Promise<{ host: string; response: string } | { trouble: string }> {
    if (!mail) return { trouble: "no mail server is configured: pass --smtp-url and --mail-from" };
    try {
      const text = await sendEmail(mail, testEmail(realm, to));
      return { host: new URL(mail.smtp_url).host, response: text };
    } catch (error) {
      if (error instanceof MailFailed) return { trouble: error.message };
      throw error;
    }
  },

  /** Uses the server's backup settings, or the location in the command. */
  async backUp(
    realm: Realm,
    { to, ...order }: BackupOrder,
    is_serving: boolean,
  ): Promise<BackupResult> {
    const target = openTarget(to, realm.config.data);
    return backUp(realm, target, { ...order, is_serving });
  },

  async listActs(realm: Realm, { email, ...wanted }: AuditFilter & { email?: string | undefined }) {
    if (email === undefined) return listActs(realm.read, wanted);
    const user = realm.read.users.findBy("email", foldedAddress(email.trim()));
    if (!user) throw userNotFound();
    return listActs(realm.read, { ...wanted, user_id: user.user_id });
  },

  async verifyActs(realm: Realm, lastRecorded: { audit_id?: number; hash?: string }) {
    const { audit_id, hash } = lastRecorded;
    const hasExpectation = audit_id !== undefined && hash !== undefined;
    return verifyChain(realm.read, hasExpectation ? { audit_id, hash } : undefined);
  },

  async setPassword(realm: Realm, { email, password }: { email: string; password: string }) {
    const { full_name, delivery_email } = accountNamed(realm.read, email);
    const guessableWords = [full_name, delivery_email, realm.read.settings.name];
    const hash = await hashOf(password, guessableWords);
    return realm.write((tx) => {
      const user = accountNamed(tx, email);
      setPassword(tx, user.user_id, hash!);
      return { user_id: user.user_id, email: user.delivery_email };
    });
  },
};

function testEmail({ clock, config, read }: Realm, address: string): OutgoingEmail {
  const name = read.realm.get(1)?.settings.name ?? "Skein";
  const text = `Email from ${name} (${config.url}) works.`;
  return {
    message_id: `<${crypto.randomUUID()}@${new URL(config.url).hostname}>`,
    to: { name: "", address },
    from_name: undefined,
    subject: `Test email from ${name}`,
    text: `${text}\n`,
    html: markup`<p>${text}</p>`.text,
    headers: { "Auto-Submitted": "auto-generated" },
    date: new Date(clock.now()),
  };
}

export type AdminCommands = typeof adminCommands;
export type AdminCommandName = keyof AdminCommands;

async function hashOf(
  password: string | undefined,
  guessableWords: string[],
): Promise<string | undefined> {
  if (password === undefined) return undefined;
  if (!(await isStrongPassword(password, guessableWords))) throw passwordTooWeak();
  return hashPassword(password);
}

/** In bulk operations, errors name the account. */
function withFieldName<T>({ email }: Person, make: () => T): T {
  const asCommandError = (error: unknown) =>
    error instanceof Refusal ? new Refusal(error.errCode, `${email}: ${error.message}`) : error;
  try {
    const created = make();
    if (!(created instanceof Promise)) return created;
    return created.catch((error: unknown) => {
      throw asCommandError(error);
    }) as T;
  } catch (error) {
    throw asCommandError(error);
  }
}
