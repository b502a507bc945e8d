import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectVersion } from '@heliograph/kit';
import { beforeAll, describe, expect, it } from 'vitest';
import type { TestSystem } from '../src/testing/test-system.ts';

const DOCS = join(import.meta.dirname, '../../docs');
const FILES = join(import.meta.dirname, '../../packaging/monitoring');

/** Names of this project's metrics in a text, each once, without the endings of histograms. */
function metricsIn(text: string): string[] {
  const names = [...text.matchAll(/\bheliograph_(?:cloud|proxy|device)_\w+/g)].map(([name]) =>
    name.replace(/_duration_seconds_(?:bucket|sum|count)$/, '_duration_seconds'),
  );
  return [...new Set(names)].toSorted();
}

/** Metrics, request ids and readiness of the processes as they run in production. */
export function describeMonitoring(systemOf: () => TestSystem): void {
  let system: TestSystem;
  let urls: Readonly<Record<'cloud' | 'proxy' | 'device', string>>;
  beforeAll(() => {
    system = systemOf();
    const { cloud, proxy, device } = system.run;
    urls = { cloud: cloud.url, proxy: proxy.url, device: device.url };
  });

  async function metricsOf(part: keyof typeof urls): Promise<string> {
    // At the address of this machine, since a public name is refused.
    const { port } = new URL(urls[part]);
    const answer = await fetch(`http://127.0.0.1:${port}/metrics`);
    expect(answer.status).toBe(200);
    return await answer.text();
  }

  /** Lines of the request with an id in the log of a part. */
  function linesOf(part: string, requestId: string): { readonly route: string }[] {
    return readFileSync(join(system.logFolder, `${part}.log`), 'utf8')
      .split('\n')
      .filter((line) => line.includes(requestId))
      .map((line) => JSON.parse(line.slice(line.indexOf('{'))));
  }

  it('each metric of the alert rules and the dashboards is one that the processes have', async () => {
    const exposed = await Promise.all([metricsOf('cloud'), metricsOf('proxy'), metricsOf('device')]);
    const described = new Set([...exposed.join('\n').matchAll(/^# TYPE (\S+) /gm)].map(([, name]) => name));
    const files = [
      'alerts.yaml',
      ...readdirSync(join(FILES, 'dashboards')).map((name) => `dashboards/${name}`),
    ];
    for (const file of files) {
      const named = metricsIn(readFileSync(join(FILES, file), 'utf8'));
      expect(named.length).toBeGreaterThan(10);
      expect({ file, unknown: named.filter((name) => !described.has(name)) }).toEqual({ file, unknown: [] });
    }
    expect(described).toContain('nodejs_eventloop_lag_p99_seconds');
    expect(described).toContain('process_resident_memory_bytes');
  });

  it('each metric of this project is on the dashboard of its part', async () => {
    for (const part of ['cloud', 'proxy', 'device'] as const) {
      const dashboard = metricsIn(readFileSync(join(FILES, `dashboards/${part}.json`), 'utf8'));
      const former = /Former name of/;
      const described = (await metricsOf(part)).matchAll(/^# HELP (heliograph_\S+) (.*)$/gm);
      const own = [...described].filter(([, , help = '']) => !former.test(help)).map(([, name]) => name);
      expect({ part, missing: own.filter((name = '') => !dashboard.includes(name)) }).toEqual({
        part,
        missing: [],
      });
    }
  });

  it.each(['cloud', 'proxy', 'device'] as const)(
    'docs/operating-a-%s.md describes metrics that the %s has',
    async (part) => {
      const guide = readFileSync(join(DOCS, `operating-a-${part}.md`), 'utf8');
      const [, table = ''] = guide.split(`| metric, after \`heliograph_${part}_\` |`);
      const cells = [...(table.split('\n\n')[0] ?? '').matchAll(/^\| ([^|]+) \|/gm)].map(([, cell]) => cell);
      const named = cells.flatMap((cell = '') => [...cell.matchAll(/`(\w+)`/g)].map(([, name]) => name));
      const text = await metricsOf(part);
      expect(named.length).toBeGreaterThan(9);
      expect(named.filter((name) => !text.includes(`# TYPE heliograph_${part}_${name} `))).toEqual([]);
    },
  );

  it('a call that passes through cloud, proxy and device has one id in the logs of all three', async () => {
    const requestId = '4bf92f3577b34da6a3ce929d0e0e4736';
    const { cloud, account, site } = system.run;
    const answer = await fetch(`${cloud.url}/mcp`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${account.api_token}`,
        'content-type': 'application/json',
        traceparent: `00-${requestId}-00f067aa0ba902b7-01`,
      },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name: 'site_status', arguments: { site_id: site.id } },
      }),
    });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('x-request-id')).toBe(requestId);
    await answer.text();
    const routes = () => ({
      cloud: linesOf('cloud', requestId).map(({ route }) => route),
      proxy: linesOf('proxy', requestId).map(({ route }) => route),
      device: linesOf('device', requestId).map(({ route }) => route),
    });
    await expect.poll(routes).toEqual({ cloud: ['/mcp'], proxy: ['/api/v1/mcp'], device: ['/mcp'] });
  });

  it.each(['cloud', 'proxy', 'device'] as const)(
    'the line with which the %s begins to serve has its version and its address',
    (part) => {
      const lines = readFileSync(join(system.logFolder, `${part}.log`), 'utf8').split('\n');
      const first = lines.find((line) => line.includes(`"msg":"the ${part} `)) ?? '';
      const { port } = new URL(urls[part]);
      expect(first).toMatch(new RegExp(`https?://[^ "]*:${port}\\b`));
      expect(first).toContain(projectVersion());
    },
  );

  describe('GET /readyz', () => {
    it.each(['cloud', 'proxy', 'device'] as const)('the %s is ready, with rows', async (part) => {
      const answer = await fetch(`${urls[part]}/readyz`);
      const { status, checks } = (await answer.json()) as { status: string; checks: unknown[] };
      expect([answer.status, status]).toEqual([200, 'ready']);
      expect(checks).toContainEqual({ name: expect.any(String), status: 'ok', detail: expect.any(String) });
    });
  });
}
