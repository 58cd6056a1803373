// Calls an API endpoint as an owner, since operators may do whatever owners may.
import { userIsDeactivated, userNotFound } from "../../contract/errors/channels.ts";
import { Refusal } from "../../contract/errors/general.ts";
import type { Context, Endpoint } from "../../endpoint.ts";
import { isBot, isOwner } from "../../features/rights/rules.ts";
import type { Reader, Realm } from "../../realm.ts";
import type { User } from "../../schema/records.ts";
import { anyHost } from "../../server/hosts.ts";
import { decodeInto, ignoredOf, parameterSlots } from "../../server/parameters/decode.ts";
import { foldedAddress } from "../../text/email-address.ts";
import { nearestName } from "../config/suggest.ts";
import { CommandError, UsageError } from "../flags.ts";

interface AsOwner {
  /** Values as in a form: strings unchanged, everything else as JSON. */
  params: Record<string, unknown>;
  /** The owner to act as; by default the first one. */
  by?: string | undefined;
}

/** Applies the same permissions, actions, events and errors as the API. */
export function asOwner(endpoint: Endpoint) {
  return async (realm: Realm, { params, by }: AsOwner): Promise<Record<string, unknown>> => {
    const user = ownerNamed(realm.read, by);
    const slots = parameterSlots(endpoint.params, []);
    const input = new Map(Object.entries(params).map(([name, value]) => [name, textOf(value)]));
    const [unexpected] = ignoredOf(slots, input) ?? [];
    if (unexpected !== undefined) {
      const knownNames = Object.keys(endpoint.params);
      throw new UsageError(
        `there is no setting ${unexpected}${nearestName(unexpected, knownNames)}`,
      );
    }
    const values: Record<string, unknown> = {};
    decodeInto(values, slots, input);
    try {
      return (await endpoint.run(contextOf(realm, user), values)) as Record<string, unknown>;
    } catch (error) {
      throw error instanceof Refusal ? withReasons(error) : error;
    }
  };
}

/** Adds the values that the error is about, such as addresses, each with its reason. */
function withReasons(error: Refusal): Refusal {
  const { errors } = error.extra;
  const reasons = (Array.isArray(errors) ? errors : []).filter(Array.isArray);
  const texts = reasons.map(([value, reason]) => `${String(value)}: ${String(reason)}`);
  return new Refusal(error.errCode, [error.message, texts.join("; ")].filter(Boolean).join(" "));
}

const textOf = (value: unknown) => (typeof value === "string" ? value : JSON.stringify(value));

function contextOf(realm: Realm, user: User): Context {
  return {
    ...{ realm, user, client: "skein", spelling: "zulip", address: "", peer: "", files: [] },
    ...{ key: undefined, session: undefined },
    request: new Request("http://localhost/"),
    hosts: anyHost(realm),
  };
}

export function ownerNamed(reader: Reader, email: string | undefined): User {
  if (email !== undefined) return accountNamed(reader, email);
  const owners = [...reader.users.range()].filter((user) => {
    return user.is_active && isOwner(user) && !isBot(user);
  });
  const [first] = owners.toSorted((a, b) => a.user_id - b.user_id);
  if (!first) throw new CommandError("the organization has no active owner");
  return first;
}

/** `is_off`: deactivated accounts are accepted too. */
export function accountNamed(reader: Reader, email: string, is_off = false): User {
  const user = reader.users.findBy("email", foldedAddress(email.trim()));
  if (!user || user.is_system_bot) throw userNotFound();
  if (!user.is_active && !is_off) throw userIsDeactivated();
  return user;
}
