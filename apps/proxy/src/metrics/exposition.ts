import { Counter, Gauge, register as processRegister, Registry } from 'prom-client';
import {
  ANSWERED_BY,
  type ConnectionKind,
  type CountedConnection,
  type Counters,
  STATUS_CLASSES,
} from './counters.ts';

const PREFIX = 'heliograph_proxy_';
const KINDS: readonly ConnectionKind[] = ['client', 'tunnel'];

/** Sources that are read for each scrape. */
export interface MetricSources {
  readonly counters: Counters;
  readonly connections: () => Iterable<CountedConnection>;
  /** Devices that are connected. */
  readonly tunnels: () => number;
  /** Tunnels that were refused or failed, by reason. */
  readonly tunnelFailures: () => Iterable<[reason: string, count: number]>;
  readonly webSockets: () => number;
  readonly announcements: () => { readonly ageMs: number | undefined; readonly failures: number };
  readonly certificates: () => readonly { readonly file: string; readonly atMs: number }[];
}

/** One line of a metric: its labels and its value. */
type Sample = readonly [labels: Readonly<Record<string, string>>, value: number];

/** The metrics of one proxy and of its process. */
export class Metrics {
  readonly #registry = new Registry();
  readonly #sources: MetricSources;

  constructor(sources: MetricSources) {
    this.#sources = sources;
    const { counters } = sources;
    this.#gauge('tunnels', 'Devices that are connected', [], () => [[{}, sources.tunnels()]]);
    this.#counter('tunnels_failed_total', 'Tunnels that were refused or ended', ['reason'], () =>
      byReason(sources.tunnelFailures()),
    );
    this.#gauge('websockets', 'Open WebSockets', [], () => [[{}, sources.webSockets()]]);
    this.#counter('requests_total', 'Requests that are over', ['answered_by', 'status'], () =>
      ANSWERED_BY.flatMap((by) =>
        STATUS_CLASSES.map(
          (status, i): Sample => [{ answered_by: by, status }, counters.requests[by][i] ?? 0],
        ),
      ),
    );
    this.#counter('refusals_total', 'Requests and WebSockets that the proxy refused', ['reason'], () =>
      byReason(counters.refusals),
    );
    this.#counter(
      'relayed_requests_total',
      'Requests and WebSockets that other proxies passed on',
      [],
      () => [[{}, counters.relayedRequests]],
    );
    this.#describeConnections();
    this.#describeCloud();
  }

  /** In the text format of Prometheus. */
  async text(): Promise<string> {
    const { counters } = this.#sources;
    const durations = counters.durations.text(
      `${PREFIX}request_duration_seconds`,
      'From the head of a request to the end of its answer',
    );
    return [await this.#registry.metrics(), durations, await processRegister.metrics()].join('\n');
  }

  #describeConnections(): void {
    const { counters, connections } = this.#sources;
    this.#gauge('connections', 'Open connections', ['kind'], () => {
      const open = { client: 0, tunnel: 0 };
      for (const { kind } of connections()) open[kind]++;
      return KINDS.map((kind): Sample => [{ kind }, open[kind]]);
    });
    const rejected = (): Sample[] => [[{}, counters.connectionsRejected]];
    this.#counter(
      'connections_rejected_total',
      'Connections closed at once because a limit on connections was exceeded',
      [],
      rejected,
    );
    this.#counter(
      'connections_closed_unheard_total',
      'Former name of heliograph_proxy_connections_rejected_total, for this release only',
      [],
      rejected,
    );
    this.#counter('bytes_total', 'Bytes received and sent', ['kind', 'direction'], () => {
      const bytes = structuredClone(counters.closedBytes);
      for (const { kind, socket } of connections()) {
        bytes[kind].in += socket.bytesRead;
        bytes[kind].out += socket.bytesWritten;
      }
      return KINDS.flatMap((kind): Sample[] => [
        [{ kind, direction: 'in' }, bytes[kind].in],
        [{ kind, direction: 'out' }, bytes[kind].out],
      ]);
    });
    this.#counter('tls_failures_total', 'Connections without agreement on TLS', ['reason'], () =>
      byReason(counters.tlsFailures),
    );
    this.#counter('protocol_errors_total', 'Connections that broke the rules of HTTP', ['reason'], () =>
      byReason(counters.protocolErrors),
    );
  }

  #describeCloud(): void {
    const { announcements, certificates } = this.#sources;
    this.#gauge(
      'announcement_age_seconds',
      'Since the cloud last answered; infinite: it never did',
      [],
      () => [[{}, (announcements().ageMs ?? Number.POSITIVE_INFINITY) / 1000]],
    );
    this.#counter('announcement_failures_total', 'Announcements that failed', [], () => [
      [{}, announcements().failures],
    ]);
    this.#gauge('certificate_expiry_seconds', 'When a certificate expires, in Unix time', ['file'], () =>
      certificates().map(({ file, atMs }): Sample => [{ file }, atMs / 1000]),
    );
  }

  #gauge(name: string, help: string, labelNames: string[], read: () => readonly Sample[]): void {
    new Gauge({
      name: PREFIX + name,
      help,
      labelNames,
      registers: [this.#registry],
      collect() {
        this.reset();
        for (const [labels, value] of read()) this.set(labels, value);
      },
    });
  }

  #counter(name: string, help: string, labelNames: string[], read: () => readonly Sample[]): void {
    new Counter({
      name: PREFIX + name,
      help,
      labelNames,
      registers: [this.#registry],
      collect() {
        this.reset();
        for (const [labels, value] of read()) this.inc(labels, value);
      },
    });
  }
}

function byReason(counts: Iterable<[reason: string, count: number]>): Sample[] {
  return [...counts].map(([reason, count]) => [{ reason }, count]);
}
