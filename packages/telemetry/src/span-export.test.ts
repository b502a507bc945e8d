import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { inPieces } from '@heliograph/dev/in-pieces';
import { ConfigError, createLogger, Env, traceOf } from '@heliograph/kit';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openTelemetryFromEnv, startSpanExport } from './span-export.ts';

const TRACE_ID = '4bf92f3577b34da6a3ce929d0e0e4736';
const PARENT = '00f067aa0ba902b7';

interface Export {
  readonly url: string | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly body: unknown;
}

let collector: Server;
let exports: Export[];
let status: number;
let lines: string[];
beforeEach(async () => {
  exports = [];
  lines = [];
  status = 200;
  collector = createServer(async (req, res) => {
    exports.push({ url: req.url, headers: req.headers, body: await json(req) });
    res.writeHead(status).end('{}');
  });
  await once(inPieces(collector).listen(0, '127.0.0.1'), 'listening');
});
afterEach(() => collector.close());

function exporter() {
  const { port } = collector.address() as AddressInfo;
  const env = new Env({
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}/`,
    OTEL_EXPORTER_OTLP_HEADERS: 'x-key=a%20secret, x-other=1',
  });
  const logger = createLogger('test', 'info', { write: (line) => lines.push(JSON.parse(line).msg) });
  return startSpanExport(openTelemetryFromEnv(env, 'heliograph-test'), logger);
}

const REQUEST = { method: 'GET', route: '/api/v1/sites/:id', status: 500, durationMs: 250 };

describe('the export of spans', () => {
  it('a collector receives a span of each request that the caller wants to be recorded', async () => {
    const spans = await exporter();
    const trace = traceOf({ traceparent: `00-${TRACE_ID}-${PARENT}-01`, tracestate: 'vendor=1' });
    spans?.add(trace, REQUEST);
    spans?.add(traceOf({ traceparent: `00-${TRACE_ID}-${PARENT}-00` }), REQUEST);
    await spans?.stop();
    expect(exports).toHaveLength(1);
    const [{ url, headers, body } = { url: '', headers: {}, body: {} }] = exports;
    expect(url).toBe('/v1/traces');
    expect(headers).toMatchObject({
      'content-type': 'application/json',
      'x-key': 'a secret',
      'x-other': '1',
    });
    expect(body).toEqual({
      resourceSpans: [
        {
          resource: {
            attributes: [
              { key: 'service.name', value: { stringValue: 'heliograph-test' } },
              { key: 'service.version', value: { stringValue: expect.stringMatching(/^\d+\./) } },
            ],
          },
          scopeSpans: [
            {
              scope: { name: 'heliograph' },
              spans: [
                {
                  traceId: TRACE_ID,
                  spanId: trace.spanId,
                  parentSpanId: PARENT,
                  traceState: 'vendor=1',
                  name: 'GET /api/v1/sites/:id',
                  kind: 2,
                  startTimeUnixNano: expect.stringMatching(/^\d{19}$/),
                  endTimeUnixNano: expect.stringMatching(/^\d{19}$/),
                  attributes: [
                    { key: 'http.request.method', value: { stringValue: 'GET' } },
                    { key: 'http.route', value: { stringValue: '/api/v1/sites/:id' } },
                    { key: 'http.response.status_code', value: { intValue: '500' } },
                  ],
                  status: { code: 2 },
                },
              ],
            },
          ],
        },
      ],
    });
  });

  it('a collector that refuses is logged once, and so is its recovery', async () => {
    const spans = await exporter();
    const send = async (): Promise<void> => {
      spans?.add(traceOf({}), REQUEST);
      await spans?.stop();
    };
    status = 503;
    await send();
    await send();
    expect(lines).toEqual(['spans cannot be exported']);
    status = 200;
    await send();
    expect(lines).toEqual(['spans cannot be exported', 'spans are exported again']);
  });

  it('nothing is exported without a collector', async () => {
    const config = openTelemetryFromEnv(new Env({}), 'heliograph-test');
    expect(await startSpanExport(config, createLogger('test', 'silent'))).toBeUndefined();
  });

  it.each(['no pair', '=key-7', 'name=%zz'])(
    'the headers "%s" are refused without being repeated',
    (text) => {
      const env = new Env({ OTEL_EXPORTER_OTLP_HEADERS: text });
      const read = () => openTelemetryFromEnv(env, 'heliograph-test');
      expect(read).toThrow(ConfigError);
      expect(read).not.toThrow(text);
    },
  );
});
