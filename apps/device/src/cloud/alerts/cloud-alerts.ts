import {
  ALERT_SEVERITIES,
  ALERT_TEXT_LENGTHS,
  type DeviceAlert,
  DeviceAlertsAnswer,
  type DeviceAlertsBody,
  MAX_UPLOADED_ALERTS,
} from '@heliograph/contracts';
import { internalOperations } from '@heliograph/contracts/operations/internal';
import { type Clock, type Logger, outsideOfRequests, reasonOf } from '@heliograph/kit';
import { Type } from 'typebox';
import { Compile } from 'typebox/schema';
import type { AlertStore, StoredAlert } from '../../alerts/alert-store.ts';
import type { AlertWatch } from '../../alerts/alert-watch.ts';
import { presentAlert } from '../../alerts/present-alert.ts';
import { type CloudAccess, callCloud } from '../../common/call-cloud.ts';
import type { CloudProblems } from '../../common/cloud-problems.ts';
import { FailureLog } from '../../common/failure-log.ts';
import type { Registration } from '../../common/registration.ts';
import { isBelievable } from '../../energy/ledger.ts';
import type { KeyValueStore } from '../../storage/key-value.ts';

const KEY = 'cloud_alerts';

const REVISION = Compile(Type.Integer({ minimum: 0 }));

const TIMEOUT_MS = 30_000;

/** After a failure, twice as long each time. */
const FIRST_RETRY_MS = 5_000;
const MAX_RETRY_MS = 5 * 60_000;

/** While alerts are open: what people acknowledged in the cloud. */
const INTERVAL_MS = 60 * 60_000;

/** After the cloud had no room for alerts that were sent again: they count as those that are new. */
const REPETITION_MS = 10 * 60_000;

const ANSWER = Compile(DeviceAlertsAnswer);

export interface CloudAlertsOptions {
  readonly access: CloudAccess;
  readonly problems: CloudProblems;
  readonly registration: Registration;
  readonly alerts: Pick<AlertStore, 'changesSince' | 'newestRevision' | 'open' | 'get'>;
  readonly watch: Pick<AlertWatch, 'subscribe' | 'acknowledge'>;
  readonly store: KeyValueStore;
  readonly clock: Clock;
  readonly logger: Logger;
}

/**
 * Sends alerts to the cloud when they change, in the order of their changes. What the cloud has not acknowledged is sent
 * again, and the cloud counts it once; nothing is missing after an outage of days.
 */
export class CloudAlerts {
  readonly #options: CloudAlertsOptions;
  readonly #failureLog: FailureLog;
  readonly #stopping = new AbortController();
  readonly #subscriptions: (() => void)[] = [];
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> | undefined;
  #failures = 0;
  #isDue = false;
  /** By the monotonic clock. */
  #nextRepetitionAt = 0;

  constructor(options: CloudAlertsOptions) {
    this.#options = options;
    this.#failureLog = new FailureLog(
      options.logger,
      'alerts could not be sent to the cloud',
      'alerts are sent to the cloud again',
    );
  }

  start(): void {
    const { watch, registration } = this.#options;
    this.#subscriptions.push(
      watch.subscribe(() => this.#run()),
      registration.whenConfirmed(() => this.#run()),
    );
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    for (const unsubscribe of this.#subscriptions) unsubscribe();
    clearTimeout(this.#timer);
    await this.#running;
  }

  /** Sends what the cloud does not have. */
  async send(): Promise<void> {
    const { clock } = this.#options;
    if (!isBelievable(clock.now())) return;
    const missing = this.#stillOpen(await this.#sendChanges());
    if (missing.length === 0 || clock.monotonic() < this.#nextRepetitionAt) return;
    for (let from = 0; from < missing.length; from += MAX_UPLOADED_ALERTS) {
      if (this.#stopping.signal.aborted) return;
      const part = missing.slice(from, from + MAX_UPLOADED_ALERTS);
      const { refused = [] } = await this.#call({ alerts: part.map(uploadOf), open: null });
      if (refused.length === 0) continue;
      // There is no room for the rest, which is not more severe.
      this.#nextRepetitionAt = clock.monotonic() + REPETITION_MS;
      return;
    }
    // The cloud learns that it has everything now.
    await this.#sendChanges();
  }

  /** @returns the open alerts that the cloud does not have */
  async #sendChanges(): Promise<NonNullable<DeviceAlertsAnswer['missing']>> {
    const { alerts } = this.#options;
    while (!this.#stopping.signal.aborted) {
      const changes = alerts.changesSince(this.#sent(), MAX_UPLOADED_ALERTS);
      const isComplete = changes.length < MAX_UPLOADED_ALERTS;
      const open = isComplete ? alerts.open().slice(0, MAX_OPEN).map(placeOf) : null;
      const answer = await this.#call({ alerts: changes.map(uploadOf), open });
      const { acknowledged, refused = [], missing = [] } = answer;
      if (refused.length > 0)
        this.#options.logger.warn(
          { alerts: refused.length },
          'the cloud does not store further alerts, as too many are open',
        );
      const last = changes.at(-1);
      if (last !== undefined) this.#options.store.set(KEY, String(last.revision));
      for (const { id, raised_at, by } of acknowledged) this.#acknowledge(id, raised_at, by);
      if (isComplete) return missing;
    }
    return [];
  }

  /** The alerts among places that are open here, the most severe first. */
  #stillOpen(places: NonNullable<DeviceAlertsAnswer['missing']>): StoredAlert[] {
    return places
      .map(({ id, raised_at }) => {
        const alert = this.#options.alerts.get(id);
        return alert?.clearedAt === null && alert.raisedAt === Date.parse(raised_at) ? alert : undefined;
      })
      .filter((alert) => alert !== undefined)
      .sort((a, b) => ALERT_SEVERITIES.indexOf(b.severity) - ALERT_SEVERITIES.indexOf(a.severity));
  }

  /** The revision that the cloud has; a store that was restored from a backup begins again. */
  #sent(): number {
    const { store, alerts } = this.#options;
    const sent = store.json(KEY, REVISION, 0);
    return sent > alerts.newestRevision ? 0 : sent;
  }

  #acknowledge(id: number, raisedAt: string, by: string): void {
    const { alerts, watch } = this.#options;
    const alert = alerts.get(id);
    if (alert === undefined || alert.raisedAt !== Date.parse(raisedAt) || alert.acknowledgedAt !== null)
      return;
    watch.acknowledge(id, true, by);
  }

  async #call(body: DeviceAlertsBody): Promise<DeviceAlertsAnswer> {
    const { access, clock } = this.#options;
    const answer = await callCloud(access, {
      route: internalOperations.storeDeviceAlerts.route,
      body: { type: 'application/json', content: JSON.stringify(body) },
      nowMs: clock.now(),
      timeoutMs: TIMEOUT_MS,
      signal: this.#stopping.signal,
    });
    const found: unknown = await answer.json();
    if (!ANSWER.Check(found)) throw new Error('the cloud answers something unknown');
    return found;
  }

  /** One upload at a time; a change during one is sent by the next. */
  #run(): void {
    if (this.#stopping.signal.aborted || !this.#options.registration.isConfirmed) return;
    this.#isDue = true;
    this.#running ??= outsideOfRequests(() => this.#sendWhileDue())().finally(() => {
      this.#running = undefined;
    });
  }

  async #sendWhileDue(): Promise<void> {
    clearTimeout(this.#timer);
    let failed = false;
    while (this.#isDue && !failed && !this.#stopping.signal.aborted) {
      this.#isDue = false;
      try {
        await this.send();
        this.#failures = 0;
        this.#options.problems.end();
        this.#failureLog.succeeded();
      } catch (error) {
        failed = true;
        this.#failures++;
        const reason = reasonOf(error);
        if (!this.#stopping.signal.aborted)
          this.#failureLog.failed(new Error(reason), this.#options.problems.levelOf(reason));
      }
    }
    if (this.#stopping.signal.aborted) return;
    const hasOpen = this.#options.alerts.open().length > 0;
    if (failed || hasOpen)
      this.#timer = setTimeout(() => this.#run(), failed ? this.#retryMs() : INTERVAL_MS);
  }

  #retryMs(): number {
    return Math.min(MAX_RETRY_MS, FIRST_RETRY_MS * 2 ** (this.#failures - 1)) * (0.5 + Math.random());
  }
}

/** Most open alerts that the cloud takes. */
const MAX_OPEN = 1_000;

function placeOf({ id, raisedAt }: StoredAlert) {
  return { id, raised_at: new Date(raisedAt).toISOString() };
}

/** An alert within the limits of the cloud, which would refuse it for ever otherwise. */
function uploadOf(stored: StoredAlert): DeviceAlert {
  const { state: _state, ...alert } = presentAlert(stored);
  return {
    ...alert,
    topic: shortened(alert.topic, 'topic'),
    name: shortened(alert.name, 'name'),
    detail: shortened(alert.detail, 'detail'),
    value: typeof alert.value === 'string' ? shortened(alert.value, 'value') : alert.value,
    unit: shortened(alert.unit, 'unit') ?? '',
    text: shortened(alert.text, 'text') ?? '',
    acknowledged_by: alert.acknowledged_by?.slice(0, 200) ?? null,
    times: Math.min(alert.times, 1_000_000),
  };
}

function shortened(text: string | null, field: keyof typeof ALERT_TEXT_LENGTHS): string | null {
  return text === null ? null : text.slice(0, ALERT_TEXT_LENGTHS[field]);
}
