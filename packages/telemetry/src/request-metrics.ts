import { DurationHistogram, labelsText } from './duration-histogram.ts';
import type { MetricExposition, MetricSample } from './metric-exposition.ts';

const METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);
const OTHER = 'other';

/** A request that is over. */
export interface EndedRequest {
  readonly method: string;
  /** The pattern of its route, such as `/api/v1/sites/:id`; undefined where no route has its path. */
  readonly route: string | undefined;
  /** 0 when there was no answer: the client left before. */
  readonly status: number;
  readonly durationMs: number;
}

/** Requests by method, pattern of the route and class of the status. Paths are not labels, so that there are few series. */
export class RequestMetrics {
  readonly #counts = new Map<string, { readonly sample: Readonly<Record<string, string>>; count: number }>();
  readonly #durations = new DurationHistogram();
  /** Texts of labels by method and route. */
  readonly #labels = new Map<string, string>();

  constructor(exposition: MetricExposition) {
    exposition.counter('requests_total', 'Requests that are over', ['method', 'route', 'status'], () =>
      [...this.#counts.values()].map(({ sample, count }): MetricSample => [sample, count]),
    );
    exposition.histogram(
      'request_duration_seconds',
      'From the head of a request to the end of its answer',
      this.#durations,
    );
  }

  /** A route that is served: the series of its failures begins at 0, so that the first one is an increase. */
  declare(method: string, route: string): void {
    this.#count(METHODS.has(method) ? method : OTHER, route, '5xx', 0);
  }

  ended({ method, route = OTHER, status, durationMs }: EndedRequest): void {
    const name = METHODS.has(method) ? method : OTHER;
    const statusClass = status === 0 ? 'none' : `${Math.trunc(status / 100)}xx`;
    const key = `${name} ${route}`;
    this.#count(name, route, statusClass, 1);
    let labels = this.#labels.get(key);
    if (labels === undefined) {
      labels = labelsText({ method: name, route });
      this.#labels.set(key, labels);
    }
    this.#durations.observe(durationMs, labels);
  }

  #count(method: string, route: string, status: string, times: number): void {
    const key = `${method} ${route} ${status}`;
    const known = this.#counts.get(key);
    if (known === undefined) this.#counts.set(key, { sample: { method, route, status }, count: times });
    else known.count += times;
  }
}
