/** The parameter types that an endpoint's declaration infers. */
import { expect, test } from "bun:test";
import { Type } from "typebox";
import {
  bool,
  defaulted,
  endpoint,
  int,
  json,
  withAlias,
  oneOf,
  openEndpoint,
  optional,
  text,
  textOf,
} from "../../src/endpoint.ts";

test("passes typed parameters to run", () => {
  const declared = endpoint({
    summary: "A thing",
    tag: "Server",
    params: {
      stream_id: int,
      new_name: optional(textOf({ max: 60 })),
      topic: withAlias("subject", text),
      op: oneOf("start", "stop"),
      flags: defaulted(json(Type.Array(Type.String())), []),
      setting: optional(
        json(Type.Union([Type.Integer(), Type.Object({ ids: Type.Array(Type.Integer()) })])),
      ),
      announce: defaulted(bool, false),
    },
    run: ({ user, key }, params) => {
      const stream_id: number = params.stream_id;
      const new_name: string | undefined = params.new_name;
      const op: "start" | "stop" = params.op;
      const flags: string[] = params.flags;
      const announce: boolean = params.announce;
      const setting: number | { ids: number[] } | undefined = params.setting;
      const owner: number = user.user_id + (key?.key_id ?? 0);

      // @ts-expect-error a number is no string
      const wrong: string = params.stream_id;
      // @ts-expect-error what is optional may be missing
      const missing: string = params.new_name;
      // @ts-expect-error only two words are allowed
      const stopped: "stop" = params.op;
      // @ts-expect-error nobody declared it
      const outsider: unknown = params.stranger;
      // @ts-expect-error it may be missing, or a number
      const list: number[] = params.setting.ids;
      return {
        stream_id,
        new_name,
        op,
        flags,
        announce,
        setting,
        owner,
        wrong,
        missing,
        stopped,
        stranger: outsider,
        list,
      };
    },
  });
  expect(Object.keys(declared.params)).toHaveLength(7);
  expect(declared.params.topic?.alias).toBe("subject");
  expect(declared.open).toBe(false);
});

test("a default has the type of its parameter", () => {
  // @ts-expect-error a text is no number
  expect(defaulted(int, "x").required).toBe(false);
  // @ts-expect-error a list of texts holds no numbers
  expect(defaulted(json(Type.Array(Type.String())), [1]).required).toBe(false);
});

test("an open endpoint may have no user", () => {
  const declared = openEndpoint({
    summary: "A thing",
    tag: "Server",
    params: {},
    run: ({ user }) => {
      // @ts-expect-error nobody may be signed in
      const user_id: number = user.user_id;
      return { user_id };
    },
  });
  expect(declared.open).toBe(true);
});

test("a response is an object, not a bare value", () => {
  // @ts-expect-error a number is no answer
  expect(endpoint({ summary: "A thing", tag: "Server", params: {}, run: () => 5 }).body).toBe(
    "form",
  );
});
