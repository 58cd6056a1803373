// Avatars and icons: where they are, and generated ones.
import { spectatorsNotAllowed } from "../../contract/errors/general.ts";
import { openEndpoint, text } from "../../endpoint.ts";
import type { Reader } from "../../realm.ts";
import type { User } from "../../schema/records.ts";
import { foldedAddress } from "../../text/email-address.ts";
import { accessAsViewer } from "../channels/access.ts";
import { canSeeUser } from "../people/access.ts";
import { genericAvatarPath } from "../realm/picture-wire.ts";
import { avatarUrl, avatarUrlMedium, ownPicture, gravatarOfAddress } from "../people/wire.ts";
import { canSeeEmail, SPECTATOR, type Viewer } from "../rights/rules.ts";
import { identicon, silhouette } from "./generated.ts";

const PIXELS = 100;
const PIXELS_MEDIUM = 500;
const YEAR_SECONDS = 31_536_000;

export const redirectToAvatar = avatarEndpoint(false);
export const redirectToMediumAvatar = avatarEndpoint(true);

/**
 * For a user whom the caller may not see, returns the anonymous avatar. For an unknown or hidden
 * address, returns its Gravatar, so that the response does not reveal whether there is an account.
 */
function avatarEndpoint(isMedium: boolean) {
  return openEndpoint({
    summary: `Get a user's avatar${isMedium ? " in a larger size" : ""}`,
    tag: "Pictures",
    params: { user_id_or_email: text },
    run: ({ realm, user: requester, request }, { user_id_or_email }) => {
      const viewer = accessAsViewer(realm.read, requester);
      const isEmail = user_id_or_email.includes("@");
      if (isEmail && viewer === SPECTATOR) throw spectatorsNotAllowed();
      const user = isEmail
        ? byEmail(realm.read, viewer, user_id_or_email)
        : realm.read.users.get(Number(user_id_or_email));
      const isSeen = user !== undefined && canSeeUser(realm.read, viewer, user);
      const unexpected = isEmail ? gravatarOfAddress(user_id_or_email, isMedium) : undefined;
      const other = unexpected ?? genericAvatarPath(isMedium);
      const path = isSeen ? pictureOf(user, viewer, isMedium) : other;
      return redirect(withQuery(path, new URL(request.url).search));
    },
  });
}

/** Finds users as anyone except the owner of a hidden address would. */
function byEmail(reader: Reader, viewer: Viewer, email: string): User | undefined {
  const user = reader.users.findBy("email", foldedAddress(email));
  if (user && canSeeEmail(viewer, user)) return user;
  const [, id] = /^user(\d+)@/.exec(email) ?? [];
  return id === undefined ? undefined : reader.users.get(Number(id));
}

/**
 * Users who hide their address get a generated avatar, because a Gravatar URL reveals its owner to
 * anyone who knows the address.
 */
function pictureOf(user: User, viewer: Viewer, isMedium: boolean): string {
  if (user.avatar_source === "G" && canSeeEmail(viewer, user)) {
    return (isMedium ? avatarUrlMedium(user) : avatarUrl(user, false))!;
  }
  return ownPicture(user, isMedium);
}

function withQuery(path: string, search: string): string {
  return search.length > 1 ? `${path}&${search.slice(1)}` : path;
}

function redirect(to: string): Response {
  return new Response(null, {
    status: 302,
    headers: { Location: to, "Cache-Control": "private, max-age=300" },
  });
}

/** `7.png`, `7-medium.png`, `generic.png`, `realm-medium.png`: these names contain no secrets. */
export const generatedPicture = openEndpoint({
  summary: "Get an avatar that is generated from a user's ID",
  tag: "Pictures",
  params: { file: text },
  run: ({ realm }, { file }) => {
    const [, name, medium] = /^(\d{1,16}|generic|realm)(-medium)?\.png$/.exec(file) ?? [];
    if (name === undefined) return new Response("Not found", { status: 404 });
    const pixels = medium === undefined ? PIXELS : PIXELS_MEDIUM;
    const uuid = realm.read.realm.get(1)?.realm_uuid ?? "";
    const bytes = name === "generic" ? silhouette(pixels) : identicon(`${uuid}/${name}`, pixels);
    return new Response(bytes, {
      headers: {
        "Content-Type": "image/png",
        "Cache-Control": `public, max-age=${YEAR_SECONDS}, immutable`,
      },
    });
  },
});
