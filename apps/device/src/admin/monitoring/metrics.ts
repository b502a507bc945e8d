import type { Clock } from '@heliograph/kit';
import { MetricExposition, type MetricSample, RequestMetrics } from '@heliograph/telemetry';
import type { UplinkStatus } from '../../cloud/uplink/uplink.ts';
import type { ConnectionConfig } from '../../config/connection-config.ts';
import type { History } from '../../history/history.ts';
import type { ConnectionPoller } from '../../poll/links/connection-poller.ts';
import { isLinkMetric } from '../../poll/links/link-metrics.ts';
import type { SnapshotSource } from '../../poll/snapshot.ts';
import type { MqttStatus } from '../../serve/mqtt/mqtt-bridge.ts';
import { type DataFolderSizes, dataFolderSizes } from './data-folder.ts';
import type { StoreState } from './store-check.ts';

/** Units that get series of their own; a home has fewer. */
const MAX_UNITS = 200;

export interface DeviceMetricsOptions {
  /** In the order of the configuration, as are the pollers. */
  readonly connections: readonly Pick<ConnectionConfig, 'driver'>[];
  readonly pollers: readonly ConnectionPoller[];
  readonly snapshots: SnapshotSource;
  readonly history: Pick<History, 'isRecording' | 'counts'>;
  readonly store: () => Pick<StoreState, 'failure'>;
  readonly dataFolder: string;
  readonly streamClients: () => number;
  /** Undefined without a cloud. */
  readonly uplink: () => UplinkStatus | undefined;
  /** Undefined without a broker. */
  readonly mqtt: () => MqttStatus | undefined;
  readonly clock: Clock;
}

/** The age of what a unit reported. */
interface UnitAge {
  /** When its newest value was read, in milliseconds since the epoch. */
  newestAt: number;
  stale: number;
}

/** The metrics of a device for operators; those of the home are at `/api/v1/metrics`. */
export class DeviceMetrics {
  readonly requests: RequestMetrics;
  readonly #exposition = new MetricExposition('heliograph_device_');
  readonly #options: DeviceMetricsOptions;
  #sizes: DataFolderSizes | undefined;
  #units: ReadonlyMap<string, UnitAge> = new Map();

  constructor(options: DeviceMetricsOptions) {
    this.#options = options;
    this.requests = new RequestMetrics(this.#exposition);
    this.#describeConnections();
    this.#describeUnits();
    this.#describeStores();
    this.#describePeers();
  }

  /** In the text format of Prometheus. */
  async text(): Promise<string> {
    this.#sizes = await dataFolderSizes(this.#options.dataFolder);
    this.#units = this.#unitAges();
    return this.#exposition.text();
  }

  #describeConnections(): void {
    const gauge = (name: string, help: string, read: (poller: ConnectionPoller) => number | null): void =>
      this.#exposition.gauge(name, help, ['connection', 'driver'], () => this.#perConnection(read));
    const counter = (name: string, help: string, read: (poller: ConnectionPoller) => number): void =>
      this.#exposition.counter(name, help, ['connection', 'driver'], () => this.#perConnection(read));
    gauge('connection_up', 'Whether the hardware answered the last poll', ({ status }) =>
      status.state === 'connected' ? 1 : 0,
    );
    counter('polls_total', 'Polls that the hardware answered', ({ polls }) => polls.answered);
    counter(
      'poll_failures_total',
      'Polls, and attempts to connect, that failed',
      ({ polls }) => polls.failed,
    );
    gauge('poll_duration_seconds', 'Time of the last poll that was answered', ({ pollMs }) =>
      pollMs === null ? null : pollMs / 1000,
    );
    counter('link_requests_total', 'Requests to hardware', ({ link }) => link.traffic.requests);
    counter(
      'link_unanswered_total',
      'Requests to hardware without an answer',
      ({ link }) => link.traffic.silent,
    );
    counter(
      'link_dropped_frames_total',
      'Frames that were damaged, late or meant for another unit',
      ({ link }) => link.traffic.dropped,
    );
    counter(
      'withheld_values_total',
      'Values that cannot be, and were withheld',
      ({ link }) => link.withheldValues,
    );
  }

  #describeUnits(): void {
    const { clock, snapshots } = this.#options;
    this.#exposition.gauge('value_age_seconds', 'Since the newest value of a unit was read', ['unit'], () =>
      [...this.#units].flatMap(([unit, { newestAt }]): MetricSample[] =>
        newestAt === 0 ? [] : [[{ unit }, Math.max(0, clock.now() - newestAt) / 1000]],
      ),
    );
    this.#exposition.gauge('stale_values', 'Values of a unit that are too old to be shown', ['unit'], () =>
      [...this.#units].map(([unit, { stale }]): MetricSample => [{ unit }, stale]),
    );
    this.#exposition.counter('snapshots_total', 'Snapshots that were made of polls', [], () => [
      [{}, snapshots.current.sequence],
    ]);
  }

  #describeStores(): void {
    const { history, store } = this.#options;
    const sizes = (read: (sizes: DataFolderSizes) => MetricSample[]): readonly MetricSample[] =>
      this.#sizes === undefined ? [] : read(this.#sizes);
    this.#exposition.gauge('store_size_bytes', 'Size of a database file', ['store'], () =>
      sizes(({ store, history: recorded }) => [
        [{ store: 'device' }, store],
        [{ store: 'history' }, recorded],
      ]),
    );
    this.#exposition.gauge('disk_free_bytes', 'Room for the data folder', [], () =>
      sizes(({ diskFree }) => [[{}, diskFree]]),
    );
    this.#exposition.gauge('disk_size_bytes', 'Size of the file system of the data folder', [], () =>
      sizes(({ disk }) => [[{}, disk]]),
    );
    this.#exposition.gauge('store_usable', 'Whether settings and energy can be stored', [], () => [
      [{}, store().failure === null ? 1 : 0],
    ]);
    this.#exposition.gauge('history_recording', 'Whether the history is recorded', [], () => [
      [{}, history.isRecording ? 1 : 0],
    ]);
    this.#exposition.counter(
      'history_snapshots_total',
      'Snapshots that were written to the history',
      [],
      () => [[{}, history.counts.written]],
    );
    this.#exposition.counter('history_failures_total', 'Writes of the history that failed', [], () => [
      [{}, history.counts.failures],
    ]);
  }

  #describePeers(): void {
    const { streamClients, uplink, mqtt } = this.#options;
    this.#exposition.gauge('stream_clients', 'Clients of the live stream', [], () => [[{}, streamClients()]]);
    this.#exposition.gauge('tunnel_up', 'Whether a proxy holds the tunnel; absent without a cloud', [], () =>
      upOf(uplink(), 'online'),
    );
    this.#exposition.gauge('mqtt_up', 'Whether the broker is connected; absent without a broker', [], () =>
      upOf(mqtt(), 'connected'),
    );
  }

  #perConnection(read: (poller: ConnectionPoller) => number | null): MetricSample[] {
    const { connections, pollers } = this.#options;
    return pollers.flatMap((poller, index): MetricSample[] => {
      const value = read(poller);
      const driver = connections[index]?.driver ?? '';
      return value === null ? [] : [[{ connection: String(index + 1), driver }, value]];
    });
  }

  #unitAges(): ReadonlyMap<string, UnitAge> {
    const units = new Map<string, UnitAge>();
    for (const [topic, { definition, readAt, stale }] of this.#options.snapshots.current.samples) {
      if (isLinkMetric(definition)) continue;
      const [prefix = ''] = topic.split('/', 1);
      const unit = units.get(prefix) ?? { newestAt: 0, stale: 0 };
      unit.newestAt = Math.max(unit.newestAt, readAt);
      if (stale) unit.stale += 1;
      if (units.size < MAX_UNITS) units.set(prefix, unit);
    }
    return units;
  }
}

function upOf(status: { readonly state: string } | undefined, up: string): MetricSample[] {
  return status === undefined ? [] : [[{}, status.state === up ? 1 : 0]];
}
