// `parameters`: decodes the parameters that the endpoint declares.
import { type RequestState, plugin } from "../request-state.ts";
import { decodeInto, ignoredOf, spellingOf } from "../parameters/decode.ts";
import { parametersInQuery, mergeParams } from "../parameters/parameters.ts";

/** Completes the values of the path. */
export function decode(requestState: RequestState): void {
  const { values, mounted } = requestState.routeMatch!;
  const { slots } = mounted;
  const input = mergeParams(parametersInQuery(requestState.query), requestState.form);
  requestState.spelling = spellingOf(slots, input);
  decodeInto(values, slots, input);
  requestState.ignored = ignoredOf(slots, input);
  requestState.clientGiven = input.get("client");
}

export const parameters = () =>
  plugin("parameters").macro({
    parameters: {
      beforeHandle({ requestState }) {
        decode(requestState);
      },
    },
  });
