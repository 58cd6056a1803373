// Videos on sites that describe them by oEmbed.
import { describe, expect, test } from "bun:test";
import { fetchPage } from "../../src/features/messages/edit/previews-jobs.ts";
import type { OutboundResponse, OutboundRequest } from "../../src/outbound/client.ts";
import { videoAt, videoInfoUrl, linkedVideo } from "../../src/text/oembed.ts";

test.each([
  ["https://youtu.be/abcdefghi-_?t=3", "YouTube", "abcdefghi-_"],
  ["http://m.youtube.com/watch?a=b&v=abcdefghi-_&c", "YouTube", "abcdefghi-_"],
  ["https://www.youtube-nocookie.com/embed/abcdefghi-_", "YouTube", "abcdefghi-_"],
  ["https://youtube.com/watch?v=abcdefghi-_x", undefined, undefined],
  ["https://a.org/?https://youtu.be/abcdefghi-_", undefined, undefined],
  ["https://vimeo.com/1084537", "Vimeo", "1084537"],
  ["https://player.vimeo.com/video/1084537?h=1", "Vimeo", "1084537"],
  ["https://vimeo.com/1084537x", undefined, undefined],
  ["https://vimeo.com/about", undefined, undefined],
])("%s", (url, site, id) => {
  const video = videoAt(url);
  expect([video?.site, video?.id] as unknown[]).toEqual([site, id]);
});

describe("oEmbed responses", () => {
  const read = (fields: unknown) => linkedVideo(JSON.stringify(fields), "https://film.example/x");
  const image = "https://film.example/i.jpg";

  test("contain the title and the thumbnail", () => {
    expect(read({ title: " a\n b ", thumbnail_url: "/i.jpg", html: "<script>" })).toEqual({
      title: "a b",
      description: "",
      image,
    });
  });

  test.each([
    ["no title", { thumbnail_url: image }],
    ["a blank title", { title: " ", thumbnail_url: image }],
    ["no picture", { title: "a" }],
    ["a picture that is none", { title: "a", thumbnail_url: "javascript:x" }],
    ["a number", { title: 3, thumbnail_url: image }],
    ["a list", [1]],
    ["nothing", null],
  ])("may be too little: %s", (_title, details) => expect(read(details)).toBeUndefined());

  test("may be invalid JSON", () => expect(linkedVideo("<html>", image)).toBeUndefined());
});

describe("a video link", () => {
  /** Responds like a video site, and records the requests. */
  function site(response: Partial<OutboundResponse>, details: object = {}) {
    const requests: OutboundRequest[] = [];
    const body = new TextEncoder().encode(JSON.stringify(details));
    const send = (request: OutboundRequest): Promise<OutboundResponse> => {
      requests.push(request);
      const content_type = "application/json";
      return Promise.resolve({ status: 200, url: request.url, content_type, body, ...response });
    };
    return { requests, send };
  }
  const video = "https://vimeo.com/7";
  const payload = { title: "Seven", thumbnail_url: "https://i.example/7" };

  test("is looked up at its provider", async () => {
    const client = site({}, payload);
    expect(await fetchPage(client, video)).toEqual({
      title: "Seven",
      description: "",
      image: "https://i.example/7",
    });
    expect(client.requests.map(({ url, types }) => [url, types])).toEqual([
      ["https://vimeo.com/api/oembed.json?url=https%3A%2F%2Fvimeo.com%2F7", ["application/json"]],
    ]);
    expect(videoInfoUrl({ site: "YouTube", id: "abcdefghi-_" })).toBe(
      "https://www.youtube.com/oembed?format=json&" +
        "url=https%3A%2F%2Fwww.youtube.com%2Fwatch%3Fv%3Dabcdefghi-_",
    );
  });

  test("may be missing or unavailable", async () => {
    expect(await fetchPage(site({}, {}), video)).toBeNull();
    expect(await fetchPage(site({ status: 404 }, payload), video)).toBeUndefined();
    const refusing = { send: () => Promise.reject(new Error("closed")) };
    expect(await fetchPage(refusing, video)).toBeUndefined();
  });
});
