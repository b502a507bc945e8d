import { MetricExposition, type MetricSample } from '@heliograph/telemetry';
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

/** The metrics of one proxy and of its process. */
export class Metrics {
  readonly #exposition = new MetricExposition(PREFIX);
  readonly #sources: MetricSources;

  constructor(sources: MetricSources) {
    this.#sources = sources;
    const { counters } = sources;
    this.#exposition.gauge('tunnels', 'Devices that are connected', [], () => [[{}, sources.tunnels()]]);
    this.#exposition.counter('tunnels_failed_total', 'Tunnels that were refused or ended', ['reason'], () =>
      byReason(sources.tunnelFailures()),
    );
    this.#exposition.gauge('websockets', 'Open WebSockets', [], () => [[{}, sources.webSockets()]]);
    this.#exposition.counter('requests_total', 'Requests that are over', ['answered_by', 'status'], () =>
      ANSWERED_BY.flatMap((by) =>
        STATUS_CLASSES.map(
          (status, i): MetricSample => [{ answered_by: by, status }, counters.requests[by][i] ?? 0],
        ),
      ),
    );
    this.#exposition.counter(
      'refusals_total',
      'Requests and WebSockets that the proxy refused',
      ['reason'],
      () => byReason(counters.refusals),
    );
    this.#exposition.counter(
      'relayed_requests_total',
      'Requests and WebSockets that other proxies passed on',
      [],
      () => [[{}, counters.relayedRequests]],
    );
    this.#exposition.histogram(
      'request_duration_seconds',
      'From the head of a request to the end of its answer',
      counters.durations,
    );
    this.#describeConnections();
    this.#describeCloud();
  }

  /** Begins to watch the process, which otherwise the first scrape does. */
  watchProcess(): Promise<void> {
    return this.#exposition.watchProcess();
  }

  /** In the text format of Prometheus. */
  text(): Promise<string> {
    return this.#exposition.text();
  }

  #describeConnections(): void {
    const { counters, connections } = this.#sources;
    this.#exposition.gauge('connections', 'Open connections', ['kind'], () => {
      const open = { client: 0, tunnel: 0 };
      for (const { kind } of connections()) open[kind]++;
      return KINDS.map((kind): MetricSample => [{ kind }, open[kind]]);
    });
    const rejected = (): MetricSample[] => [[{}, counters.connectionsRejected]];
    this.#exposition.counter(
      'connections_rejected_total',
      'Connections closed at once because a limit on connections was exceeded',
      [],
      rejected,
    );
    this.#exposition.counter(
      'connections_closed_unheard_total',
      'Former name of heliograph_proxy_connections_rejected_total, for this release only',
      [],
      rejected,
    );
    this.#exposition.counter('bytes_total', 'Bytes received and sent', ['kind', 'direction'], () => {
      const bytes = structuredClone(counters.closedBytes);
      for (const { kind, socket } of connections()) {
        bytes[kind].in += socket.bytesRead;
        bytes[kind].out += socket.bytesWritten;
      }
      return KINDS.flatMap((kind): MetricSample[] => [
        [{ kind, direction: 'in' }, bytes[kind].in],
        [{ kind, direction: 'out' }, bytes[kind].out],
      ]);
    });
    this.#exposition.counter('tls_failures_total', 'Connections without agreement on TLS', ['reason'], () =>
      byReason(counters.tlsFailures),
    );
    this.#exposition.counter(
      'protocol_errors_total',
      'Connections that broke the rules of HTTP',
      ['reason'],
      () => byReason(counters.protocolErrors),
    );
  }

  #describeCloud(): void {
    const { announcements, certificates } = this.#sources;
    this.#exposition.gauge(
      'announcement_age_seconds',
      'Since the cloud last answered; infinite: it never did',
      [],
      () => [[{}, (announcements().ageMs ?? Number.POSITIVE_INFINITY) / 1000]],
    );
    this.#exposition.counter('announcement_failures_total', 'Announcements that failed', [], () => [
      [{}, announcements().failures],
    ]);
    const expiries = (): MetricSample[] =>
      certificates().map(({ file, atMs }): MetricSample => [{ file }, atMs / 1000]);
    this.#exposition.gauge(
      'certificate_expiry_timestamp_seconds',
      'When a certificate expires, in Unix time',
      ['file'],
      expiries,
    );
    this.#exposition.gauge(
      'certificate_expiry_seconds',
      'Former name of heliograph_proxy_certificate_expiry_timestamp_seconds, for this release only',
      ['file'],
      expiries,
    );
  }
}

function byReason(counts: Iterable<[reason: string, count: number]>): MetricSample[] {
  return [...counts].map(([reason, count]) => [{ reason }, count]);
}
