import { Type } from 'typebox';
import { Compile } from 'typebox/schema';
import type { AlertStore } from '../../alerts/alert-store.ts';
import type { AlertWatch } from '../../alerts/alert-watch.ts';
import { presentAlert } from '../../alerts/present-alert.ts';
import type { KeyValueStore } from '../../storage/key-value.ts';
import type { BrokerConnection } from './broker/broker-connection.ts';

const KEY = 'mqtt_alert_revision';

const REVISION = Compile(Type.Integer({ minimum: 0 }));

const PAGE_SIZE = 50;

export interface AlertMessagesOptions {
  readonly topic: string;
  readonly alerts: Pick<AlertStore, 'changesSince' | 'newestRevision'>;
  readonly watch: Pick<AlertWatch, 'subscribe'>;
  readonly store: Pick<KeyValueStore, 'json' | 'set'>;
}

/**
 * Publishes a message for each alert that is raised, acknowledged or cleared, in order. One that the broker has not confirmed
 * when the connection or the power ends is published again; alerts from before the first start are not.
 */
export class AlertMessages {
  readonly #options: AlertMessagesOptions;

  constructor(options: AlertMessagesOptions) {
    this.#options = options;
    const { alerts, store } = options;
    // A store that lost its alerts counts their revisions from the beginning.
    if (store.json(KEY, REVISION, Infinity) > alerts.newestRevision)
      store.set(KEY, String(alerts.newestRevision));
  }

  /** Publishes until the signal aborts. @throws the library's error when the connection ends */
  async run(connection: BrokerConnection, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const { promise: woken, resolve: wake } = Promise.withResolvers<void>();
      const unsubscribe = this.#options.watch.subscribe(() => wake());
      const end = (): void => wake();
      signal.addEventListener('abort', end);
      try {
        await this.#publish(connection, signal);
        await woken;
      } finally {
        unsubscribe();
        signal.removeEventListener('abort', end);
      }
    }
  }

  async #publish(connection: BrokerConnection, signal: AbortSignal): Promise<void> {
    const { topic, alerts, store } = this.#options;
    for (;;) {
      const changes = alerts.changesSince(store.json(KEY, REVISION, 0), PAGE_SIZE);
      for (const change of changes) {
        if (signal.aborted) return;
        const alert = presentAlert(change);
        const payload = JSON.stringify({ event_type: alert.state, ...alert });
        await connection.publish(topic, payload, { retain: false, confirmed: true });
        store.set(KEY, String(change.revision));
      }
      if (changes.length === 0) return;
    }
  }
}
