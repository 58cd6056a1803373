// `parameters`: decodes the parameters that the endpoint declares.
import { type Asked, plugin } from "../asked.ts";
import { decodeInto, ignoredOf, spellingOf } from "../parameters/decode.ts";
import { givenByQuery, merged } from "../parameters/parameters.ts";

/** Completes the values of the path. */
export function decode(asked: Asked): void {
  const { values, mounted } = asked.found!;
  const { slots } = mounted;
  const given = merged(givenByQuery(asked.query), asked.form);
  asked.spelling = spellingOf(slots, given);
  decodeInto(values, slots, given);
  asked.ignored = ignoredOf(slots, given);
  asked.clientGiven = given.get("client");
}

export const parameters = () =>
  plugin("parameters").macro({
    parameters: {
      beforeHandle({ asked }) {
        decode(asked);
      },
    },
  });
