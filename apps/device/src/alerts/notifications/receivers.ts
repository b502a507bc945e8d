import type { NotificationReceiver, NotificationTest } from '@heliograph/contracts';
import { messageOf } from '@heliograph/kit';
import { readTexts } from '@heliograph/locales/read';
import type { NotificationConfig } from '../../config/notification-config.ts';
import { channelOf } from './channel.ts';

/** How long each receiver may take, in milliseconds. */
const TIMEOUT_MS = 20_000;

/** The receivers of alerts as people see them, and test messages to them. */
export class Receivers {
  readonly #receivers: readonly NotificationConfig[];
  readonly #title: () => string;
  #testing: Promise<NotificationTest[]> | undefined;

  /** @param title stands above each message: the name of the site */
  constructor(receivers: readonly NotificationConfig[], title: () => string) {
    this.#receivers = receivers;
    this.#title = title;
  }

  list(): NotificationReceiver[] {
    return this.#receivers.map(presentReceiver);
  }

  /** Sends a message to each; those who ask meanwhile get the same answer. */
  test(): Promise<NotificationTest[]> {
    this.#testing ??= Promise.all(
      this.#receivers.map((receiver, index) => this.#testOne(receiver, index)),
    ).finally(() => {
      this.#testing = undefined;
    });
    return this.#testing;
  }

  async #testOne(receiver: NotificationConfig, index: number): Promise<NotificationTest> {
    const channel = await channelOf(receiver);
    const message = {
      alertId: 0,
      // Mail servers drop a mail with the id of one that they have.
      revision: Date.now(),
      is: 'raised',
      severity: receiver.severity,
      text: readTexts(receiver.language).messages.test,
    } as const;
    const error = await channel.send(this.#title(), message, AbortSignal.timeout(TIMEOUT_MS)).then(
      () => null,
      (failure: unknown) => messageOf(failure),
    );
    return { ...presentReceiver(receiver, index), error };
  }
}

function presentReceiver(receiver: NotificationConfig, index: number): NotificationReceiver {
  const { severity, language } = receiver;
  return 'ntfy' in receiver
    ? { index, kind: 'ntfy', host: new URL(receiver.ntfy).host, severity, language }
    : { index, kind: 'smtp', host: new URL(receiver.smtp).host, severity, language };
}
