import type { Clock } from '@heliograph/kit';
import { MetricExposition, type MetricSample, RequestMetrics } from '@heliograph/telemetry';
import type { Pool } from 'pg';
import type { MailOutcome } from '../../delivery/mail/service.ts';
import type { DatabaseFigures, Figures } from './database-figures.ts';
import type { PublicCertificate } from './public-certificate.ts';

export interface CloudMetricsOptions {
  readonly pool: Pick<Pool, 'totalCount' | 'idleCount' | 'waitingCount' | 'options'>;
  readonly figures: DatabaseFigures;
  /** Mails since the start. */
  readonly mails: () => Readonly<Record<MailOutcome, number>>;
  readonly certificate: Pick<PublicCertificate, 'validity'>;
  readonly clock: Clock;
}

/** The metrics of one process of the cloud. */
export class CloudMetrics {
  readonly requests: RequestMetrics;
  readonly #exposition = new MetricExposition('heliograph_cloud_');
  readonly #options: CloudMetricsOptions;

  constructor(options: CloudMetricsOptions) {
    this.#options = options;
    this.requests = new RequestMetrics(this.#exposition);
    this.#describeDatabase();
    this.#describeMails();
    this.#describeProxies();
    this.#exposition.gauge(
      'certificate_expiry_timestamp_seconds',
      'When the certificate of the public URL expires, in Unix time',
      [],
      () => sampleOf(options.certificate.validity?.toMs, 1000),
    );
  }

  /** Begins to watch the process, which otherwise the first scrape does. */
  watchProcess(): Promise<void> {
    return this.#exposition.watchProcess();
  }

  /** In the text format of Prometheus. */
  async text(): Promise<string> {
    await this.#options.figures.refresh();
    return this.#exposition.text();
  }

  #describeDatabase(): void {
    const { pool, figures } = this.#options;
    this.#exposition.gauge('database_up', 'Whether the database answers', [], () => [
      [{}, figures.latest === undefined ? 0 : 1],
    ]);
    this.#exposition.gauge(
      'database_connections',
      'Connections of this process to the database',
      ['state'],
      () => [
        [{ state: 'idle' }, pool.idleCount],
        [{ state: 'used' }, pool.totalCount - pool.idleCount],
      ],
    );
    this.#exposition.gauge('database_connections_max', 'Most connections of this process', [], () =>
      sampleOf(pool.options.max),
    );
    this.#exposition.gauge(
      'database_waiting_queries',
      'Queries that wait for a connection of this process',
      [],
      () => [[{}, pool.waitingCount]],
    );
    this.#exposition.gauge('table_rows', 'Rows of a table, as the database estimates them', ['table'], () =>
      this.#read(({ tableRows }) => [...tableRows].map(([table, rows]) => [{ table }, rows])),
    );
    this.#exposition.gauge(
      'payment_checkouts_open',
      'Pages of the payment provider that can still be paid on',
      [],
      () => this.#read(({ openCheckouts }) => [[{}, openCheckouts]]),
    );
  }

  #describeMails(): void {
    const { clock, mails } = this.#options;
    this.#exposition.gauge('mails_waiting', 'Mails that wait to be sent', [], () =>
      this.#read(({ mails: { waiting } }) => [[{}, waiting]]),
    );
    this.#exposition.gauge('mail_oldest_age_seconds', 'Since the oldest waiting mail was queued', [], () =>
      this.#read(({ mails: { oldestAt } }) => [
        [{}, oldestAt === null ? 0 : Math.max(0, clock.now() - oldestAt.getTime()) / 1000],
      ]),
    );
    this.#exposition.counter('mails_total', 'Attempts of this process to send a mail', ['outcome'], () =>
      Object.entries(mails()).map(([outcome, count]): MetricSample => [{ outcome }, count]),
    );
  }

  #describeProxies(): void {
    const { clock } = this.#options;
    const labels = ['proxy', 'region'];
    this.#exposition.gauge('tunnels', 'Devices that a proxy holds, by its announcements', labels, () =>
      this.#read(({ proxies }) =>
        proxies.map(({ name, region, tunnels }) => [{ proxy: name, region }, tunnels]),
      ),
    );
    this.#exposition.gauge('proxy_capacity', 'Most devices that a proxy takes', labels, () =>
      this.#read(({ proxies }) =>
        proxies.map(({ name, region, capacity }) => [{ proxy: name, region }, capacity]),
      ),
    );
    this.#exposition.gauge(
      'proxy_announcement_age_seconds',
      'Since a proxy last announced itself',
      labels,
      () =>
        this.#read(({ proxies }) =>
          proxies.map(({ name, region, announcedAt }) => [
            { proxy: name, region },
            Math.max(0, clock.now() - announcedAt.getTime()) / 1000,
          ]),
        ),
    );
  }

  /** No samples while the database does not answer. */
  #read(samples: (figures: Figures) => MetricSample[]): readonly MetricSample[] {
    const { latest } = this.#options.figures;
    return latest === undefined ? [] : samples(latest);
  }
}

function sampleOf(value: number | undefined, divisor = 1): readonly MetricSample[] {
  return value === undefined ? [] : [[{}, value / divisor]];
}
