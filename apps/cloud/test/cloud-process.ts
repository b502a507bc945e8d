import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { testProgram } from '@heliograph/dev/testing';
import { ManualClock } from '@heliograph/kit';
import { openDatabase } from '../src/db/open.ts';
import { CLOUD_SECRET, TestCloud } from './test-cloud.ts';

/** A cloud in a process of its own, as it runs in production, with the system's clock. */
export class CloudProcess extends TestCloud {
  readonly process: ChildProcess;
  readonly #output: () => string;

  private constructor(
    url: string,
    databaseUrl: string,
    database: ReturnType<typeof openDatabase>,
    child: ChildProcess,
    output: () => string,
  ) {
    super(url, new ManualClock(Date.now()), database.db, databaseUrl, async () => {
      if (child.exitCode === null && child.signalCode === null) {
        child.kill('SIGKILL');
        await once(child, 'exit');
      }
      await database.close();
    });
    this.process = child;
    this.#output = output;
  }

  /** @param env over the usual variables */
  static async start(databaseUrl: string, env: Readonly<Record<string, string>> = {}): Promise<CloudProcess> {
    const child = fork(await testProgram('apps/cloud/src/main'), {
      env: {
        ...process.env,
        DATABASE_URL: databaseUrl,
        CLOUD_HOST: '127.0.0.1',
        CLOUD_PORT: '0',
        CLOUD_SECRET,
        CLOUD_TRUSTED_PROXIES: '127.0.0.1',
        CLOUD_MAILBOX: 'true',
        BOT_CHECK: 'false',
        ...env,
      },
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    let output = '';
    child.stdout?.on('data', (text) => (output += text));
    child.stderr?.on('data', (text) => (output += text));
    const ended = once(child, 'exit').then(([code]) => {
      throw new Error(`The cloud ended with ${code}: ${output}`);
    });
    const [{ facts }] = await Promise.race([once(child, 'message'), ended]);
    ended.catch(() => undefined);
    const database = openDatabase(databaseUrl, () => undefined);
    return new CloudProcess(facts.url, databaseUrl, database, child, () => output);
  }

  /** Everything it printed and logged so far. */
  get output(): string {
    return this.#output();
  }
}
