// `parameters`: decodes the parameters that the endpoint declares.
import { type RequestState, plugin } from "../request-state.ts";
import { decodeInto, ignoredOf, spellingOf } from "../parameters/decode.ts";
import { givenByQuery, merged } from "../parameters/parameters.ts";

/** Completes the values of the path. */
export function decode(asked: RequestState): void {
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
