import { projectVersion } from '@heliograph/kit';
import type { Registry } from 'prom-client';
import type { DurationHistogram } from './duration-histogram.ts';

/** One line of a metric: its labels and its value. */
export type MetricSample = readonly [labels: Readonly<Record<string, string>>, value: number];

interface Definition {
  readonly type: 'Gauge' | 'Counter';
  readonly name: string;
  readonly help: string;
  readonly labelNames: readonly string[];
  readonly read: () => readonly MetricSample[];
}

/**
 * Media type of the exposition, which any client may read as text.
 * https://prometheus.io/docs/instrumenting/exposition_formats/
 */
export const EXPOSITION_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

type Library = typeof import('prom-client');

/** Metrics of the process itself, which it has once however many expositions there are. */
let processMetrics: Promise<Library> | undefined;

async function loadLibrary(): Promise<Library> {
  const library = await import('prom-client');
  library.collectDefaultMetrics();
  // Gauges whose names end as those of counters do, of which promtool complains. Their parts are there by type.
  for (const what of ['handles', 'requests', 'resources'])
    library.register.removeSingleMetric(`nodejs_active_${what}_total`);
  return library;
}

/**
 * The metrics of one part of the system, whose names begin with the prefix, and of its process. Values are read for each
 * scrape. The library is loaded by the first scrape: most devices have none.
 */
export class MetricExposition {
  readonly #prefix: string;
  readonly #definitions: Definition[] = [];
  readonly #histograms: (readonly [name: string, help: string, histogram: DurationHistogram])[] = [];
  #registry: Registry | undefined;

  /** @param prefix such as `heliograph_cloud_` */
  constructor(prefix: string) {
    this.#prefix = prefix;
    const version = projectVersion();
    this.gauge('build_info', 'The version that runs; always 1', ['version'], () => [[{ version }, 1]]);
  }

  gauge(
    name: string,
    help: string,
    labelNames: readonly string[],
    read: () => readonly MetricSample[],
  ): void {
    this.#define({ type: 'Gauge', name, help, labelNames, read });
  }

  /** @param read totals since the start */
  counter(
    name: string,
    help: string,
    labelNames: readonly string[],
    read: () => readonly MetricSample[],
  ): void {
    this.#define({ type: 'Counter', name, help, labelNames, read });
  }

  histogram(name: string, help: string, histogram: DurationHistogram): void {
    this.#histograms.push([this.#prefix + name, help, histogram]);
  }

  /** Begins to watch the process, which otherwise the first scrape does. */
  async watchProcess(): Promise<void> {
    await this.#load();
  }

  /** In the text format of Prometheus. */
  async text(): Promise<string> {
    const { register: process } = await this.#load();
    const own = await this.#registry?.metrics();
    const histograms = this.#histograms.map(([name, help, histogram]) => histogram.text(name, help));
    return [own, ...histograms, await process.metrics()].join('\n');
  }

  #define(definition: Definition): void {
    this.#definitions.push({ ...definition, name: this.#prefix + definition.name });
  }

  async #load(): Promise<Library> {
    processMetrics ??= loadLibrary();
    const library = await processMetrics;
    this.#registry ??= registryOf(library, this.#definitions);
    return library;
  }
}

function registryOf(library: Library, definitions: readonly Definition[]): Registry {
  const registry = new library.Registry();
  for (const { type, name, help, labelNames, read } of definitions) {
    const shared = { name, help, labelNames: [...labelNames], registers: [registry] };
    if (type === 'Gauge') {
      new library.Gauge({
        ...shared,
        collect() {
          const samples = read();
          this.reset();
          // A gauge without labels is 0 after a reset; without a sample it is absent, as an unknown value is.
          if (labelNames.length === 0 && samples.length === 0) this.remove();
          for (const [labels, value] of samples) this.set(labels, value);
        },
      });
    } else {
      new library.Counter({
        ...shared,
        collect() {
          this.reset();
          for (const [labels, value] of read()) this.inc(labels, value);
        },
      });
    }
  }
  return registry;
}
