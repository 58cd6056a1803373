// A real mail server that keeps what it receives, and a test server that sends to it.
import type * as mailparser from "mailparser";
import { SMTPServer, type SMTPServerOptions } from "smtp-server";
import type { Config, MailConfig } from "../../src/contract/config.ts";
import { startTestServer, type TestServer } from "../test-server.ts";

// The parser requires a list that the product imports: without this it gets that as a module.
delete require.cache[require.resolve("tlds")];
const { simpleParser } = require("mailparser") as typeof mailparser;

export interface Received {
  to: string;
  mail: mailparser.ParsedMail;
  headers: string[];
}

export class PostOffice {
  readonly received: Received[] = [];
  /** The code with which it refuses a letter to this address, at the end of its text. */
  refuses: (to: string) => number | undefined = () => undefined;
  /** Called when the text of a letter begins. */
  arrives: () => void = () => {};
  private readonly server: SMTPServer;

  constructor(options: SMTPServerOptions) {
    this.server = new SMTPServer({
      authOptional: true,
      disabledCommands: ["STARTTLS"],
      logger: false,
      onData: (stream, session, callback) => {
        const to = session.envelope.rcptTo[0]!.address;
        this.arrives();
        void simpleParser(stream).then((mail) => {
          const code = this.refuses(to);
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
    // A client that breaks off is no fault of the office.
    this.server.on("error", () => {});
  }

  static async open(options: SMTPServerOptions = {}): Promise<PostOffice> {
    const office = new PostOffice(options);
    await new Promise<void>((resolve) => office.server.listen(0, "127.0.0.1", resolve));
    return office;
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

  to(address: string): Received[] {
    return this.received.filter(({ to }) => to === address);
  }

  async close(): Promise<void> {
    await new Promise<void>((resolve) => this.server.close(resolve));
  }
}

export async function startTestServerWithMail(
  options: Partial<Config> = {},
): Promise<{ testServer: TestServer; office: PostOffice }> {
  const office = await PostOffice.open();
  return { testServer: await startTestServer({ mail: office.config, ...options }), office };
}

/** Resolves when nothing that is due waits any more: every letter has come, or was refused. */
export async function delivered(testServer: TestServer): Promise<void> {
  await testServer.realm.write(() => undefined);
  const isDue = () =>
    [...testServer.realm.read.due.range()].some(({ at }) => at <= testServer.clock.now());
  while (isDue()) {
    testServer.realm.onDue();
    await Bun.sleep(1);
  }
}

/** The first address in a letter that leads to the test server. */
export function linkIn({ mail }: Received): string {
  return /https?:\/\/[^\s)]+\/(?:join|accounts)\/[^\s)]+/.exec(mail.text ?? "")![0];
}
