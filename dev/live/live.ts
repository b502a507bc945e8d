import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type CloudClient, createCloudClient, DeviceClient } from '@heliograph/client';
import type { HttpsReceiver } from '@heliograph/cloud/testing';
import type { BrokerClient } from './broker-client.ts';
import type { Clocks } from './machine/clocks.ts';
import type { RunningSystem } from './running-system.ts';
import { until } from './until.ts';

const ROOT = join(import.meta.dirname, '../..');

/** A mail of the mailbox page. */
export interface Mail {
  readonly id: number;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

export type AlertState = 'raised' | 'cleared';

/** A place that people look at: whether it has the alert of the run in a state. */
export interface AlertPlace {
  readonly name: string;
  readonly has: (state: AlertState) => boolean | Promise<boolean>;
}

/** Shared by the steps of a run: the system, and the people and programs around it. */
export class Live {
  readonly system: RunningSystem;
  readonly clocks: Clocks;
  /** The internet: webhooks and pushed messages arrive there. */
  readonly receiver: HttpsReceiver;
  /** For what steps write. */
  readonly folder: string;
  /** Receives all that the device publishes, once it has a broker. */
  broker: BrokerClient | undefined;
  /** Of the alert that a step has raised. */
  alertPlaces: readonly AlertPlace[] = [];
  /** When the condition of that alert may have ended, in milliseconds of the clocks. */
  alertEndsAtMs = 0;
  /** Ends what steps have started. */
  readonly undo: AsyncDisposableStack;

  constructor(options: Pick<Live, 'system' | 'clocks' | 'receiver' | 'folder' | 'undo'>) {
    this.system = options.system;
    this.clocks = options.clocks;
    this.receiver = options.receiver;
    this.folder = options.folder;
    this.undo = options.undo;
  }

  /** The owner of the demo site, with a session of this moment. */
  async signedIn(): Promise<CloudClient> {
    const { cloud, account } = this.system.run;
    const { email, password } = account;
    const { token } = await this.cloud().signIn({ email, password, organization_id: 'none' });
    return createCloudClient({ url: cloud.url, token });
  }

  /** @param token of an account; by default of none */
  cloud(token?: string): CloudClient {
    const { url } = this.system.run.cloud;
    return createCloudClient(token === undefined ? { url } : { url, token });
  }

  /** The owner of the demo site, with an API token. */
  owner(): CloudClient {
    return this.cloud(this.system.run.account.api_token);
  }

  /** The device on its own network, with its password. */
  device(): DeviceClient {
    const { url, password } = this.system.run.device;
    return new DeviceClient({ address: new URL(url).host, password });
  }

  /** The command line, as a person calls it in the checkout. @returns its output */
  async heliograph(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<string> {
    const { stdout } = await promisify(execFile)('npx', ['heliograph', ...args], {
      cwd: ROOT,
      env: { ...this.system.terminalEnv, ...env },
    });
    return stdout;
  }

  /** @returns the answer of a command of the operator */
  async admin<Answer = unknown>(...args: readonly string[]): Promise<Answer> {
    return JSON.parse(await this.heliograph(['admin', ...args, '--json'])) as Answer;
  }

  /** Ends the process of the device, and waits until another one answers. */
  async endDevice(signal: NodeJS.Signals): Promise<void> {
    await this.system.endBy('device', signal);
    await until('the device answered', () => this.device().about());
  }

  /** Waits until the site has values through the proxy. */
  async siteAnswers(): Promise<void> {
    await until('the site answers through the proxy', async () => {
      const device = await this.owner().device(this.system.run.site.id);
      return (await device.value('total/load_power')) !== '';
    });
  }

  /** Waits for a mail to an address whose subject and text match. */
  async mail(to: string, subject: RegExp, text = /./): Promise<Mail> {
    return until(`${to} has a mail with the subject ${subject} and the text ${text}`, async () => {
      const answer = await fetch(`${this.system.run.cloud.url}/mailbox.json`);
      const mails = (await answer.json()) as readonly Mail[];
      return mails.find((mail) => mail.to === to && subject.test(mail.subject) && text.test(mail.text));
    });
  }
}
