/** Signals, and a closed log pipe. */
import { expect, test } from "bun:test";
import { MAIN } from "../commands/skein.ts";
import { listeningUrl, ProcessOutput } from "../process-output.ts";
import { organization, sendParams, ServeProcess } from "./serve-process.ts";

test("SIGHUP, SIGUSR1 and SIGUSR2 change nothing", async () => {
  using testServer = await organization();
  await using server = await new ServeProcess(testServer.directory).untilServing();
  for (const signal of ["SIGHUP", "SIGUSR1", "SIGUSR2"] as const) {
    server.kill(signal);
    const { status } = await server.request(testServer.olga, "POST /messages", sendParams(signal));
    expect(status).toBe(200);
  }
  server.kill("SIGTERM");
  expect(await server.ended).toBe(0);
});

test.each(["SIGQUIT", "SIGINT", "SIGTERM"] as const)("%s stops it cleanly", async (signal) => {
  using testServer = await organization();
  await using server = await new ServeProcess(testServer.directory).untilServing();
  server.kill(signal);
  expect(await server.ended).toBe(0);
  expect(server.stderrText).toContain('"message":"stopped"');
});

test("continues without a reader of its log and output, and exits with 0", async () => {
  using testServer = await organization();
  const flags = ["--data", testServer.directory, "--listen", "127.0.0.1:0"];
  const child = Bun.spawn([process.execPath, MAIN, "serve", ...flags], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  const printed = ProcessOutput.from(child.stdout);
  await printed.untilMatch((lines) => lines.includes("Users can sign in"));
  await printed.stopReading();
  await child.stderr.cancel();
  const url = await listeningUrl(printed);
  expect((await fetch(`${url}/readyz`)).status).toBe(200);
  child.kill("SIGTERM");
  expect(await child.exited).toBe(0);
});
