import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { ensureDatabase, PostgresServer } from '@heliograph/dev/postgres';

const PASSWORD = 'chaos';
const DATABASE = 'heliograph';
/** How long a manager of the cluster takes to notice that the primary is gone, in milliseconds. */
const NOTICE_MS = 3_000;

/** A primary and its synchronous standby, as docs/operating-a-cloud.md describes them. */
export class ReplicatedDatabase implements AsyncDisposable {
  readonly primary: PostgresServer;
  readonly standby: PostgresServer;

  private constructor(primary: PostgresServer, standby: PostgresServer) {
    this.primary = primary;
    this.standby = standby;
  }

  /** @param folder an existing folder, which PostgreSQL's account may enter */
  static async start(folder: string): Promise<ReplicatedDatabase> {
    await using undo = new AsyncDisposableStack();
    const server = async (name: string, standbyOf?: PostgresServer): Promise<PostgresServer> => {
      const dataFolder = join(folder, name);
      await mkdir(dataFolder, { mode: 0o711 });
      const options = { dataFolder, password: PASSWORD, throwAway: true };
      const server = undo.use(new PostgresServer({ ...options, ...(standbyOf && { standbyOf }) }));
      await server.start();
      return server;
    };
    const primary = await server('primary');
    await ensureDatabase(primary, DATABASE);
    const standby = await server('standby', primary);
    await primary.awaitStandby();
    undo.move();
    return new ReplicatedDatabase(primary, standby);
  }

  /** For `DATABASE_URL`, with both hosts. */
  get url(): string {
    const url = new URL(this.primary.url(DATABASE));
    return url.href.replace(url.host, `${url.host},127.0.0.1:${this.standby.port}`);
  }

  /** Kills the primary for good, and promotes the standby once a manager would have noticed. */
  async replacePrimary(): Promise<void> {
    await this.primary.kill();
    await delay(NOTICE_MS);
    await this.standby.promote();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.standby.stop();
    await this.primary.stop();
  }
}
