import { AddressList } from '@heliograph/kit';
import { describe, expect, it } from 'vitest';
import { MetricExposition } from './metric-exposition.ts';
import { mayReadMetrics } from './metrics-access.ts';
import { RequestMetrics } from './request-metrics.ts';

describe('the text of the metrics', () => {
  it('a gauge whose value is unknown is absent, and not 0', async () => {
    const exposition = new MetricExposition('test_');
    let value: number | undefined = 7;
    exposition.gauge('known', 'A value', [], () => (value === undefined ? [] : [[{}, value]]));
    expect(await exposition.text()).toContain('\ntest_known 7\n');
    value = undefined;
    expect(await exposition.text()).not.toMatch(/^test_known /m);
    value = 0;
    expect(await exposition.text()).toContain('\ntest_known 0\n');
  });

  it('the failures of a route that is served are 0 before the first one, and counted from there', async () => {
    const exposition = new MetricExposition('test_');
    const requests = new RequestMetrics(exposition);
    requests.declare('GET', '/a');
    const failures = async () =>
      /requests_total\{method="GET",route="\/a",status="5xx"\} (\d+)/.exec(await exposition.text())?.[1];
    expect(await failures()).toBe('0');
    requests.ended({ method: 'GET', route: '/a', status: 502, durationMs: 1 });
    requests.declare('GET', '/a');
    expect(await failures()).toBe('1');
  });

  it('gauges of the process have no name that ends as one of a counter does', async () => {
    const text = await new MetricExposition('test_').text();
    const gauges = [...text.matchAll(/^# TYPE (\S+) gauge$/gm)].map(([, name]) => name);
    expect(gauges).toContain('nodejs_active_handles');
    expect(gauges.filter((name) => name?.endsWith('_total'))).toEqual([]);
  });

  it('a method that a client invents makes no series of its own, and labels are escaped', async () => {
    const exposition = new MetricExposition('test_');
    const requests = new RequestMetrics(exposition);
    for (const method of ['GET', 'PROPFIND', 'X-ODD'])
      requests.ended({ method, route: '/a"b\\c', status: 204, durationMs: 7 });
    requests.ended({ method: 'GET', route: undefined, status: 0, durationMs: 40_000 });
    const text = await exposition.text();
    expect(text).toContain('test_requests_total{method="GET",route="/a\\"b\\\\c",status="2xx"} 1');
    expect(text).toContain('test_requests_total{method="other",route="/a\\"b\\\\c",status="2xx"} 2');
    expect(text).toContain('test_requests_total{method="GET",route="other",status="none"} 1');
    expect(text).toContain(
      'test_request_duration_seconds_bucket{method="GET",route="/a\\"b\\\\c",le="0.005"} 0',
    );
    expect(text).toContain(
      'test_request_duration_seconds_bucket{method="GET",route="/a\\"b\\\\c",le="0.01"} 1',
    );
    expect(text).toContain('test_request_duration_seconds_bucket{method="GET",route="other",le="30"} 0');
    expect(text).toContain('test_request_duration_seconds_bucket{method="GET",route="other",le="+Inf"} 1');
    expect(text).toContain('test_request_duration_seconds_sum{method="GET",route="other"} 40');
  });
});

describe('mayReadMetrics', () => {
  const from = new AddressList(['127.0.0.0/8', '::1', '10.0.0.0/8', 'fd00::/8']);
  it.each([
    ['127.0.0.1', 'localhost:4000', true],
    ['::ffff:127.0.0.1', '127.0.0.1', true],
    ['::1', '[::1]:4000', true],
    ['127.0.0.1', 'cloud.example.org', false],
    ['10.1.2.3', 'cloud.example.org', true],
    ['::ffff:10.1.2.3', 'cloud.example.org', true],
    ['11.1.2.3', 'localhost', false],
    ['fd00::1', 'x', true],
    ['fe80::1%eth0', 'x', false],
    ['', 'localhost', false],
  ])('a client at %s that requests the host %s is admitted: %s', (address, host, admitted) => {
    expect(mayReadMetrics(from, { address, host, isUntrustedForward: false })).toBe(admitted);
    expect(mayReadMetrics(from, { address, host, isUntrustedForward: true })).toBe(false);
  });
});
