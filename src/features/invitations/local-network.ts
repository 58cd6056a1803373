// Addresses for invitations to a server whose public URL opens only on its own computer.
import Type from "typebox";
import { list } from "../../contract/shapes/value-types.ts";
import { endpoint } from "../../endpoint.ts";
import { loopbackHost } from "../../text/input/loopback.ts";

export const getLocalNetwork = endpoint({
  summary: "List the URLs of the server in the local network, if its public URL is a loopback one",
  tag: "Invitations",
  params: {},
  answer: Type.Object({
    urls: list(Type.String()),
    /** If false, the URLs work only after a restart of the server with `--listen 0.0.0.0:PORT`. */
    is_listening: Type.Boolean(),
  }),
  run({ realm: { config } }) {
    const { urls = [], is_listening = false } = config.local_network ?? {};
    const isLoopback = loopbackHost(config.url) !== undefined;
    return { urls: isLoopback ? [...urls] : [], is_listening };
  },
});
