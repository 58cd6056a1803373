// Avatars: where an avatar's address leads, and generated avatars.
import { afterEach, beforeEach, expect, test } from "bun:test";
import { inflateSync } from "node:zlib";
import { identicon, silhouette } from "../../src/features/avatars/generated.ts";
import { png } from "../../src/pictures/png.ts";
import type { User } from "../../src/schema/records.ts";
import type { Name } from "../users.ts";
import { startTestServer, type TestServer } from "../test-server.ts";

let testServer: TestServer;

beforeEach(async () => {
  testServer = await startTestServer();
  await testServer.request("olga", "PATCH /realm", { enable_spectator_access: true });
  const square = { name: "square", subscribers: [], is_web_public: true };
  await testServer.request("olga", "POST /channels/create", square);
});

afterEach(() => testServer.close());

test("redirects an avatar URL to an image that can be cached for ever", async () => {
  const bo = testServer.idOf("bo");
  expect(await redirectedTo("gus", `GET //avatar/${bo}`)).toBe(
    `/user_avatars/generated/${bo}.png?version=1`,
  );
  const medium = await redirectedTo("gus", `GET //avatar/${bo}/medium`);
  expect(medium).toBe(`/user_avatars/generated/${bo}-medium.png?version=1`);
  for (const [path, pixels] of [
    [`/user_avatars/generated/${bo}.png`, 100],
    [medium, 500],
  ]) {
    const picture = await fetch(testServer.url + path);
    expect(picture.headers.get("content-type")).toBe("image/png");
    expect(picture.headers.get("cache-control")).toContain("immutable");
    expect(widthOf(await picture.bytes())).toBe(pixels as number);
  }
});

test("GET //user_avatars/generated/7.png is stable and differs between users", async () => {
  const picture = async (id: number | string) =>
    (await testServer.send(null, `GET //user_avatars/generated/${id}.png`)).bytes();
  expect(await picture(7)).toEqual(await picture(7));
  expect(await picture(7)).not.toEqual(await picture(8));
  expect(await picture("generic")).toEqual(silhouette(100));
  expect((await testServer.send(null, "GET //user_avatars/generated/7.gif")).status).toBe(404);
});

test("finds users by either of their addresses, and passes on the query", async () => {
  const bo = testServer.idOf("bo");
  expect(await redirectedTo("cy", "GET //avatar/BO@example.com?x=1")).toBe(
    `/user_avatars/generated/${bo}.png?version=1&x=1`,
  );
  await testServer.request("bo", "PATCH /settings", { email_address_visibility: 4 });
  const redirectOfHidden = await redirectedTo("cy", "GET //avatar/bo@example.com");
  expect(redirectOfHidden).toBe(gravatarOf("bo@example.com"));
  expect(await redirectedTo("cy", `GET //avatar/user${bo}@127.0.0.1`)).toContain(`/${bo}.png`);
  await testServer.request("bo", "PATCH /settings", { email_address_visibility: 1 });
});

test("redirects unknown and hidden addresses to their gravatar", async () => {
  const email = "Nobody@example.com";
  expect(await redirectedTo("cy", `GET //avatar/${email}`)).toBe(gravatarOf(email));
  const medium = await redirectedTo("cy", `GET //avatar/${email}/medium?x=1`);
  expect(medium).toBe(`${gravatarOf(email)}&s=500&x=1`);
});

const gravatarOf = (email: string) => {
  const hash = new Bun.CryptoHasher("md5").update(email.toLowerCase()).digest("hex");
  return `https://secure.gravatar.com/avatar/${hash}?d=identicon&version=1`;
};

test("shows the placeholder for an unknown or hidden user", async () => {
  const generic = "/user_avatars/generated/generic.png?version=1";
  for (const name of ["99999", "x"])
    expect(await redirectedTo("cy", `GET //avatar/${name}`)).toBe(generic);
  const generic_medium = "/user_avatars/generated/generic-medium.png?version=1";
  expect(await redirectedTo("cy", "GET //avatar/99999/medium")).toBe(generic_medium);

  const members = testServer.realm.read.groups.findBy("name", "role:members")!.id;
  await change({ can_access_all_users_group: members });
  const hermit = await testServer.realm.write((tx) => {
    const user = { ...tx.users.get(testServer.idOf("cy"))!, user_id: 500 };
    tx.users.put({ ...user, delivery_email: "hermit@example.com" });
    return user.user_id;
  });
  expect(await redirectedTo("gus", `GET //avatar/${hermit}`)).toBe(generic);
  expect(await redirectedTo("bo", `GET //avatar/${hermit}`)).toContain(`/${hermit}.png`);
});

test("lets spectators fetch avatars by id, but not by address", async () => {
  expect(await redirectedTo(null, `GET //avatar/${testServer.idOf("bo")}`)).toContain(
    "/user_avatars/generated/",
  );
  expect(await testServer.refused(null, "GET //avatar/bo@example.com")).toMatchObject({
    status: 401,
  });
});

test("reveals a gravatar only to users who may know the address it is derived from", async () => {
  await alter("mo", { avatar_source: "G" });
  const id = testServer.idOf("mo");
  expect(await redirectedTo("bo", `GET //avatar/${id}`)).toStartWith(
    "https://secure.gravatar.com/avatar/",
  );
  expect(await redirectedTo("bo", `GET //avatar/${id}/medium`)).toContain("s=500");
  expect(await redirectedTo(null, `GET //avatar/${id}`)).toContain(
    `/user_avatars/generated/${id}.png`,
  );
});

test("encodes the drawn pixels as a PNG", () => {
  const pixels = Uint8Array.of(0, 1, 2, 2, 1, 0);
  const bytes = Buffer.from(
    png(
      3,
      2,
      [
        [1, 2, 3],
        [4, 5, 6],
        [7, 8, 9],
      ],
      pixels,
    ),
  );
  const chunks = chunksOf(bytes);
  expect(Object.keys(chunks)).toEqual(["IHDR", "PLTE", "IDAT", "IEND"]);
  expect([...chunks["PLTE"]!]).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
  expect([...inflateSync(chunks["IDAT"]!)]).toEqual([0, 0, 1, 2, 0, 2, 1, 0]);
});

test("draws a symmetric picture", () => {
  const side = 60;
  for (const name of ["a", "b", "c"]) {
    const chunks = chunksOf(Buffer.from(identicon(name, side)));
    const lines = inflateSync(chunks["IDAT"]!);
    for (let y = 0; y < side; y++) {
      const row = [...lines.subarray(y * (side + 1) + 1, (y + 1) * (side + 1))];
      expect(row).toEqual(row.toReversed());
    }
  }
});

async function redirectedTo(name: Name | null, line: string): Promise<string> {
  const headers =
    name === null ? undefined : { Authorization: testServer.basicAuthorization(name) };
  const response = await fetch(testServer.url + line.replace("GET /", ""), {
    redirect: "manual",
    headers,
  });
  expect(response.status).toBe(302);
  return response.headers.get("location")!;
}

function alter(name: Name, changes: Partial<User>) {
  return testServer.realm.write((tx) => {
    tx.users.put({ ...tx.users.get(testServer.idOf(name))!, ...changes });
  });
}

function change(changes: object) {
  return testServer.realm.write((tx) => {
    const realm = tx.realm.get(1)!;
    tx.realm.put({ ...realm, settings: { ...realm.settings, ...changes } });
  });
}

function widthOf(bytes: Uint8Array): number {
  return chunksOf(Buffer.from(bytes))["IHDR"]!.readUInt32BE(0);
}

/** Chunks by type; a wrong checksum throws an error. */
function chunksOf(bytes: Buffer): Record<string, Buffer> {
  const chunks: Record<string, Buffer> = {};
  expect(bytes.subarray(0, 8).toString("latin1")).toBe("\u0089PNG\r\n\u001a\n");
  for (let offset = 8; offset < bytes.length;) {
    const end = offset + 8 + bytes.readUInt32BE(offset);
    const type = bytes.toString("latin1", offset + 4, offset + 8);
    expect(bytes.readUInt32BE(end)).toBe(Bun.hash.crc32(bytes.subarray(offset + 4, end)));
    chunks[type] = bytes.subarray(offset + 8, end);
    offset = end + 4;
  }
  return chunks;
}
