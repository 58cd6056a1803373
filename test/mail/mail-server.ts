// A real mail server that keeps received emails, and a test server that sends to it.
import type * as mailparser from "mailparser";
import { SMTPServer, type SMTPServerOptions } from "smtp-server";
import type { Config, MailConfig } from "../../src/contract/config.ts";
import { startTestServer, type TestServer } from "../test-server.ts";

// The parser loads `tlds` with require(). Because the product imports it too, the cache would
// return a module instead of a list.
delete require.cache[require.resolve("tlds")];
const { simpleParser } = require("mailparser") as typeof mailparser;

interface ReceivedEmail {
  to: string;
  mail: mailparser.ParsedMail;
  headers: string[];
}

export class MailServer {
  readonly received: ReceivedEmail[] = [];
  /** Returns the SMTP code with which the server rejects emails to this address. */
  refusalCodeFor: (to: string) => number | undefined = () => undefined;
  /** Called when the body of an email begins. */
  onMail: () => void = () => {};
  private readonly server: SMTPServer;

  constructor(options: SMTPServerOptions) {
    this.server = new SMTPServer({
      authOptional: true,
      disabledCommands: ["STARTTLS"],
      logger: false,
      onData: (stream, session, callback) => {
        const to = session.envelope.rcptTo[0]!.address;
        this.onMail();
        void simpleParser(stream).then((mail) => {
          const code = this.refusalCodeFor(to);
          if (code !== undefined) {
            return callback(Object.assign(new Error("not today"), { responseCode: code }));
          }
          const headers = mail.headerLines.map(({ line }) => line);
          this.received.push({ to, mail, headers });
          callback();
        });
      },
      ...options,
    });
    // A client that disconnects is no error of the mail server.
    this.server.on("error", () => {});
  }

  static async open(options: SMTPServerOptions = {}): Promise<MailServer> {
    const mailServer = new MailServer(options);
    await new Promise<void>((resolve) => mailServer.server.listen(0, "127.0.0.1", resolve));
    return mailServer;
  }

  get port(): number {
    return (this.server.server.address() as { port: number }).port;
  }

  get config(): MailConfig {
    return {
      smtp_url: `smtp://127.0.0.1:${this.port}`,
      from: { name: "Town Mail", address: "chat@town.example" },
    };
  }

  mailTo(address: string): ReceivedEmail[] {
    return this.received.filter(({ to }) => to === address);
  }

  async close(): Promise<void> {
    await new Promise<void>((resolve) => this.server.close(resolve));
  }
}

export async function startTestServerWithMail(
  options: Partial<Config> = {},
): Promise<{ testServer: TestServer; mailServer: MailServer }> {
  const mailServer = await MailServer.open();
  return {
    testServer: await startTestServer({ mail: mailServer.config, ...options }),
    mailServer,
  };
}

/** Resolves when no due email is left: each was received or rejected. */
export async function deliverDueMail(testServer: TestServer): Promise<void> {
  await testServer.realm.write(() => undefined);
  const isDue = () =>
    [...testServer.realm.read.due.range()].some(({ at: time }) => time <= testServer.clock.now());
  while (isDue()) {
    testServer.realm.onDue();
    await Bun.sleep(1);
  }
}

/** The first link in an email that leads to the test server. */
export function linkIn({ mail }: ReceivedEmail): string {
  return /https?:\/\/[^\s)]+\/(?:join|accounts)\/[^\s)]+/.exec(mail.text ?? "")![0];
}
