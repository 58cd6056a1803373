// Every part of a request that carries text: parameters of all routes, and headers.
import { routes } from "../../src/contract/routes.ts";
import type { Parameters } from "../../src/endpoint.ts";
import type { Route } from "../../src/server/routing.ts";
import { otherParameters, type RequestFixture } from "../bad-input/fixture.ts";
import type { Name } from "../users.ts";

/** A part of a request, and how the request carries the text in it. */
export interface ParameterLocation {
  readonly name: string;
  /** Length of a text in characters; four times as many must be possible. */
  readonly length: number;
  request(fixture: RequestFixture, text: string): Request;
}

/** All headers together may have 16 KB. */
const IN_HEADER = 3_500;
/** Each character may become three when encoded. */
const IN_PATH = 1_200;
/** Most texts may be four times as long. */
const IN_BODY = 2_500;

const HEADERS = [
  ...["Authorization", "Cookie", "User-Agent", "Accept", "Accept-Language", "Accept-Encoding"],
  ...["X-Forwarded-For", "X-Forwarded-Host", "X-Forwarded-Proto", "If-None-Match", "If-Range"],
  ...["If-Modified-Since", "Range", "Content-Type", "Content-Disposition", "Origin", "Referer"],
  ...["X-CSRFToken", "Upload-Metadata", "Upload-Length", "Upload-Offset", "Tus-Resumable"],
];
/** Routes that read values from a path, form, file, upload or page. */
const READERS = ["GET //livez", "POST /messages", "GET //user_uploads/1/x", "POST /tus/", "GET //"];
const JSON_TYPE = "application/json";
const PARTS_TYPE = "multipart/form-data; boundary=x";
const multipartWith = (disposition: string) =>
  `--x\r\nContent-Disposition: form-data; ${disposition}\r\n\r\ny\r\n--x--`;
const richText = (text: string) => {
  const words = { type: "text", text, style: { bold: true } };
  const section = { type: "rich_text_section", elements: [words] };
  const code = { type: "rich_text_preformatted", elements: [{ type: "text", text }] };
  return { text: "x", blocks: [{ type: "rich_text", elements: [section, code] }] };
};
const UPLOADING = { "Tus-Resumable": "1.0.0", "Upload-Length": "1" };
/** Beginnings of values whose end is parsed after them. */
const BEGINNINGS: Readonly<Record<string, readonly string[]>> = {
  Authorization: ["", "Basic ", "Basic a"],
  Cookie: ["", "sessionid="],
  Range: ["", "bytes="],
  "Content-Type": ["", "multipart/form-data; boundary="],
};

/** Routes that share an endpoint are tested once. */
const distinct = [...new Map(routes.map((route) => [route.endpoint, route])).values()];

/** Bodies that an endpoint parses itself, and multipart forms. */
const BODIES: readonly (readonly [line: string, type: string, write: (text: string) => string])[] =
  [
    ["POST /external/slack_incoming", JSON_TYPE, (text) => text],
    ["POST /external/slack_incoming", JSON_TYPE, (text) => JSON.stringify({ text })],
    ["POST /external/slack_incoming", JSON_TYPE, (text) => JSON.stringify(richText(text))],
    ["POST /external/json", JSON_TYPE, (text) => JSON.stringify({ [text]: text })],
    ["POST /messages/render", PARTS_TYPE, (text) => text],
    ["POST /messages/render", PARTS_TYPE, (text) => `--x\r\n${text}\r\n\r\n\r\n--x--`],
    ["POST /messages/render", PARTS_TYPE, (text) => multipartWith(`name=${text}`)],
    ["POST /user_uploads", PARTS_TYPE, (text) => multipartWith(`name="file"; filename="${text}"`)],
    ["POST /messages/render", PARTS_TYPE, (text) => multipartWith(`name="${text}`)],
  ];

function bodyOf(line: string, type: string, write: (text: string) => string): ParameterLocation {
  const path = line.split(" ")[1]!;
  return {
    name: `${line} ${write}`,
    length: IN_BODY,
    request({ testServer }, text) {
      const query = new URLSearchParams({ api_key: testServer.keyOf("bot"), stream: "garden" });
      const headers = { Authorization: testServer.basicAuthorization("bot"), "Content-Type": type };
      const address = `${testServer.url}/api/v1${path}?${query}`;
      return new Request(address, { method: "POST", headers, body: write(text) });
    },
  };
}

function headers(): ParameterLocation[] {
  return READERS.flatMap((line) =>
    HEADERS.flatMap((header) =>
      (BEGINNINGS[header] ?? [""]).map((beginning) => ({
        name: `${line} ${header}: ${beginning}`,
        length: IN_HEADER,
        request: ({ testServer }: RequestFixture, text: string) => {
          const [method = "", path = ""] = line.split(" ");
          const url = testServer.url + (path.startsWith("//") ? path.slice(1) : `/api/v1${path}`);
          const namedParameters: Record<string, string> = {
            ...UPLOADING,
            Authorization: testServer.basicAuthorization("olga"),
          };
          namedParameters[header] = beginning + inHeader(text);
          const body = method === "GET" ? {} : { body: "a=b" };
          return new Request(url, { method, headers: namedParameters, ...body });
        },
      })),
    ),
  );
}

/** Bytes without line breaks. */
const inHeader = (text: string) =>
  Buffer.from(text)
    .toString("latin1")
    .replaceAll(/[\0-\x1f\x7f]/g, ",");

function parametersOf(route: Route): ParameterLocation[] {
  const params = route.endpoint.params as Parameters;
  return Object.entries(params).flatMap(([parameter, { form }]) => {
    const isInPath = route.path.includes(`{${parameter}`);
    const encodings: [string, (text: string) => string][] = [["", (text) => text]];
    if (form.as === "json" && !isInPath) {
      const fill =
        parameter === "narrow" ? NARROWS : [(text: string) => valueWithText(form.schema, text)];
      for (const [index, value] of fill.entries()) {
        encodings.push([` as JSON ${index}`, (text) => JSON.stringify(value(text))]);
      }
    }
    return encodings.map(([form, write]) => ({
      name: `${route.method} ${route.path} ${parameter}${form}`,
      length: isInPath ? IN_PATH : IN_BODY,
      request: (fixture: RequestFixture, text: string) =>
        requestOf(fixture, route, parameter, write(text)),
    }));
  });
}

/** Requests of any method are sent as POST, since a body holds more than an address. */
function requestOf(
  { testServer, validValues }: RequestFixture,
  route: Route,
  parameter: string,
  text: string,
) {
  let path = route.path.startsWith("root:") ? route.path.slice(5) : `/api/v1${route.path}`;
  const form = new URLSearchParams({ method: route.method });
  for (const [name, value] of Object.entries({
    ...otherParameters(route, validValues),
    [parameter]: text,
  })) {
    const placeholder = [`{${name}}`, `{${name}*}`].find((item) => path.includes(item));
    if (placeholder === undefined) form.set(name, value);
    else path = path.replace(placeholder, () => encodeURIComponent(value));
  }
  const headers = {
    Authorization: testServer.basicAuthorization(requesterOf(route)),
    "User-Agent": "SkeinTest/1.0",
  };
  return new Request(testServer.url + path, { method: "POST", headers, body: form });
}

function requesterOf({ gate }: Route): Name {
  const isForBots = !gate.open && (gate.byAddress === true || refusesPeople(gate.check));
  return isForBots ? "bot" : "olga";
}

function refusesPeople(check: (user: never) => void): boolean {
  try {
    check({ role: 100, bot_type: null } as never);
    return false;
  } catch {
    return true;
  }
}

const NARROWS = ["search", "topic", "channel", "dm"].map((operator) => (text: string) => [
  { operator, operand: text },
]);

interface Schema {
  readonly type?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema | readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
}

/** A value of the schema, with the text wherever the schema allows text. */
function valueWithText(schema: Schema, text: string): unknown {
  const { type, anyOf, items, properties } = schema;
  if ("const" in schema) return schema.const;
  if (schema.enum !== undefined) return schema.enum[0];
  if (anyOf !== undefined) {
    return valueWithText(anyOf.find((schema) => schema.type === "string") ?? anyOf[0]!, text);
  }
  if (type === "array")
    return [items ?? {}].flat().map((item) => valueWithText(item as Schema, text));
  if (type === "object") {
    const fields = Object.entries(properties ?? { [text]: {} });
    return Object.fromEntries(fields.map(([name, field]) => [name, valueWithText(field, text)]));
  }
  if (type === "integer" || type === "number") return 1;
  return type === "boolean" ? true : text;
}

export const LOCATIONS: readonly ParameterLocation[] = [
  ...distinct.flatMap(parametersOf),
  ...headers(),
  ...BODIES.map(([name, type, write]) => bodyOf(name, type, write)),
];
