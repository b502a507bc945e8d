import { ConfigError, type Env, type Logger, type TraceContext } from '@heliograph/kit';
import type { EndedRequest } from './request-metrics.ts';

/** The collector of spans, by the variables of the OpenTelemetry specification. */
export interface OpenTelemetryConfig {
  /** Base URL of a collector that takes OTLP over HTTP, such as `http://127.0.0.1:4318`. */
  readonly endpoint: string;
  /** Sent with each export, such as a credential. */
  readonly headers: Readonly<Record<string, string>>;
  readonly serviceName: string;
}

/** Takes the spans of requests that are over. */
export interface SpanExport {
  add(trace: TraceContext, request: EndedRequest): void;
  /** Sends what waits. */
  stop(): Promise<void>;
}

/**
 * @returns undefined where no collector is named
 * @throws ConfigError naming the variable
 */
export function openTelemetryFromEnv(env: Env, serviceName: string): OpenTelemetryConfig | undefined {
  const headers = headersIn(env.secret('OTEL_EXPORTER_OTLP_HEADERS'));
  const name = env.string('OTEL_SERVICE_NAME', serviceName);
  if (env.optional('OTEL_EXPORTER_OTLP_ENDPOINT') === undefined) return undefined;
  return { endpoint: env.url('OTEL_EXPORTER_OTLP_ENDPOINT'), headers, serviceName: name };
}

/** Loads the exporter where a collector is configured. */
export async function startSpanExport(
  config: OpenTelemetryConfig | undefined,
  logger: Logger,
): Promise<SpanExport | undefined> {
  if (config === undefined) return undefined;
  const { OtlpExporter } = await import('./otlp-exporter.ts');
  return new OtlpExporter(config, logger);
}

/** Pairs such as `name=value,other=value`, percent-encoded. The value is a secret, so that no message repeats it. */
function headersIn(text = ''): Record<string, string> {
  const pairs = text.split(',').filter((pair) => pair.trim() !== '');
  try {
    return Object.fromEntries(
      pairs.map((pair) => {
        const [, name = '', value = ''] = /^\s*([\w!#$%&'*+.^`|~-]+)\s*=(.*)$/.exec(pair) ?? [];
        if (name === '') throw new Error();
        return [name, decodeURIComponent(value.trim())];
      }),
    );
  } catch {
    throw new ConfigError('OTEL_EXPORTER_OTLP_HEADERS must be pairs such as name=value, with commas between');
  }
}
