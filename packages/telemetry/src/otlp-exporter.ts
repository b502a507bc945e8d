import { type Logger, outsideOfRequests, projectVersion, reasonOf, type TraceContext } from '@heliograph/kit';
import type { EndedRequest } from './request-metrics.ts';
import type { OpenTelemetryConfig, SpanExport } from './span-export.ts';

/** How long spans are collected for one export, in milliseconds, and how many of them at most. */
const INTERVAL_MS = 5_000;
const BATCH = 512;
/** Spans that wait at most; later ones are dropped until there is room. */
const MAX_WAITING = 4 * BATCH;
const TIMEOUT_MS = 5_000;

/** SPAN_KIND_SERVER and STATUS_CODE_ERROR, https://github.com/open-telemetry/opentelemetry-proto */
const SERVER = 2;
const ERROR = 2;

const NANOSECONDS_PER_MS = 1_000_000n;

/**
 * Exports spans as OTLP over HTTP in JSON (https://opentelemetry.io/docs/specs/otlp/#otlphttp), in the background. A
 * collector that does not answer loses spans and delays no request.
 */
export class OtlpExporter implements SpanExport {
  readonly #url: string;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #resource: object;
  readonly #logger: Logger;
  #waiting: object[] = [];
  #timer: NodeJS.Timeout | undefined;
  #sending: Promise<void> = Promise.resolve();
  #isFailing = false;

  constructor({ endpoint, headers, serviceName }: OpenTelemetryConfig, logger: Logger) {
    this.#url = `${endpoint}/v1/traces`;
    this.#headers = headers;
    this.#resource = {
      attributes: attributesOf({ 'service.name': serviceName, 'service.version': projectVersion() }),
    };
    this.#logger = logger;
  }

  add(trace: TraceContext, request: EndedRequest): void {
    if (!trace.sampled || this.#waiting.length >= MAX_WAITING) return;
    this.#waiting.push(spanOf(trace, request, Date.now()));
    if (this.#waiting.length >= BATCH) this.#flush();
    else this.#timer ??= setTimeout(this.#flush, INTERVAL_MS).unref();
  }

  async stop(): Promise<void> {
    this.#flush();
    await this.#sending;
  }

  readonly #flush = outsideOfRequests((): void => {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#sending = this.#sending.then(() => this.#send());
  });

  async #send(): Promise<void> {
    const spans = this.#waiting;
    if (spans.length === 0) return;
    this.#waiting = [];
    const scope = { name: 'heliograph' };
    const body = { resourceSpans: [{ resource: this.#resource, scopeSpans: [{ scope, spans }] }] };
    try {
      const response = await fetch(this.#url, {
        method: 'POST',
        headers: { ...this.#headers, 'content-type': 'application/json' },
        body: JSON.stringify(body),
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      await response.body?.cancel();
      if (!response.ok) throw new Error(`the collector answered ${response.status}`);
      if (this.#isFailing) this.#logger.info('spans are exported again');
      this.#isFailing = false;
    } catch (error) {
      if (!this.#isFailing) this.#logger.warn({ reason: reasonOf(error) }, 'spans cannot be exported');
      this.#isFailing = true;
    }
  }
}

function spanOf(
  { traceId, spanId, parentSpanId, state }: TraceContext,
  { method, route, status, durationMs }: EndedRequest,
  endMs: number,
): object {
  return {
    traceId,
    spanId,
    ...(parentSpanId === undefined ? {} : { parentSpanId }),
    ...(state === undefined ? {} : { traceState: state }),
    name: route === undefined ? method : `${method} ${route}`,
    kind: SERVER,
    startTimeUnixNano: nanoseconds(endMs - durationMs),
    endTimeUnixNano: nanoseconds(endMs),
    attributes: attributesOf({
      'http.request.method': method,
      ...(route === undefined ? {} : { 'http.route': route }),
      ...(status === 0 ? {} : { 'http.response.status_code': status }),
    }),
    ...(status >= 500 ? { status: { code: ERROR } } : {}),
  };
}

function attributesOf(values: Readonly<Record<string, string | number>>): object[] {
  return Object.entries(values).map(([key, value]) => ({
    key,
    value: typeof value === 'string' ? { stringValue: value } : { intValue: String(value) },
  }));
}

/** OTLP writes integers of 64 bits as texts. */
function nanoseconds(ms: number): string {
  return String(BigInt(Math.round(ms * 1000)) * (NANOSECONDS_PER_MS / 1000n));
}
