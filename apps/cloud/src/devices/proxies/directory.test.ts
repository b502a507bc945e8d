import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type DialRequest, type Presence, ProxyDirectory, type ProxyRecord } from './directory.ts';
import { Assignments } from './service.ts';

const NOW = Date.parse('2026-06-21T10:00:00Z');
const NO_PRESENCE: Presence = { online: false, proxyName: null, lastSeenAt: null };

function proxyOf(changes: Partial<ProxyRecord> & { readonly silentMs?: number }): ProxyRecord {
  const { name = 'us-1', region = 'us', silentMs = 0, ...rest } = changes;
  const host = `${name}.example.org`;
  return {
    name,
    region,
    regionDomain: `${region}.example.org`,
    host,
    url: `https://${host}`,
    capacity: 100,
    draining: false,
    drainWanted: false,
    sessionCount: 0,
    announcedAt: new Date(NOW - silentMs),
    isTrusted: true,
    ...rest,
  };
}

const shareOf = ({ sessionCount, capacity }: ProxyRecord) => sessionCount / capacity;
const directoryOf = (...proxies: ProxyRecord[]) => new ProxyDirectory(proxies, NOW, shareOf);

describe('ProxyDirectory.proxyForDevice and proxyForSite', () => {
  const us = proxyOf({ name: 'us-1', sessionCount: 10 });
  const eu = proxyOf({ name: 'eu-1', region: 'eu', sessionCount: 20 });
  const busy = proxyOf({ name: 'us-2', sessionCount: 30 });
  const large = proxyOf({ name: 'us-3', sessionCount: 40, capacity: 1000 });
  const full = proxyOf({ name: 'us-4', sessionCount: 100 });
  const brim = proxyOf({ name: 'eu-2', region: 'eu', sessionCount: 120 });
  const draining = proxyOf({ name: 'us-5', draining: true });
  const unwanted = proxyOf({ name: 'us-6', drainWanted: true });
  const silent = proxyOf({ name: 'us-7', silentMs: 20_001 });
  const on = (proxyName: string): Presence => ({ online: true, proxyName, lastSeenAt: null });

  it.each<[string, ProxyRecord[], Partial<DialRequest>, string | undefined]>([
    ['the least loaded', [busy, us], {}, 'us-1'],
    ['the least loaded for its capacity', [us, large], {}, 'us-3'],
    ['the region it asks for', [us, eu], { regions: ['eu', 'us'] }, 'eu-1'],
    ["its site's region, where the other has none", [us, eu], { regions: ['za', 'eu'] }, 'eu-1'],
    ["its site's region, where the other is full", [us, brim], { regions: ['eu', 'us'] }, 'us-1'],
    ['anywhere, where neither has room', [us, brim], { regions: ['eu', 'za'] }, 'us-1'],
    ['a full one, when all are', [full, brim], { regions: ['eu', 'us'] }, 'eu-2'],
    ['another than it could not reach', [us, busy], { unreachable: ['us-1'] }, 'us-2'],
    ['another region rather than it could not reach', [us, eu], { unreachable: ['us-1'] }, 'eu-1'],
    ['a full one rather than it could not reach', [us, full], { unreachable: ['us-1'] }, 'us-4'],
    [
      'what it could not reach, when there is no other',
      [us, busy],
      { unreachable: ['us-1', 'us-2'] },
      'us-1',
    ],
    ['none that drains, or is to', [draining, unwanted, full], {}, 'us-4'],
    ['nowhere, rather than to one that drains', [draining, unwanted], { unreachable: ['us-1'] }, undefined],
    ['none that is silent', [silent, busy], {}, 'us-2'],
    ['where it is', [us, busy], { presence: on('us-2') }, 'us-2'],
    ['where it is, though that is full', [us, full], { presence: on('us-4') }, 'us-4'],
    ['a nearer region than where it is', [us, eu], { presence: on('us-1'), regions: ['eu', 'us'] }, 'eu-1'],
    [
      'where it is, if the nearer region is full',
      [full, brim],
      { presence: on('us-4'), regions: ['eu'] },
      'us-4',
    ],
    ['another, when where it is drains', [draining, busy], { presence: on('us-5') }, 'us-2'],
    [
      'another, when it cannot reach where it is',
      [us, busy],
      { presence: on('us-1'), unreachable: ['us-1'] },
      'us-2',
    ],
    ['another, when where it was is silent', [silent, busy], { presence: on('us-7') }, 'us-2'],
  ])('a device is sent to %s', (_what, proxies, input, expected) => {
    const request = { presence: NO_PRESENCE, regions: ['us'], ...input };
    expect(directoryOf(...proxies).proxyForDevice(request)?.name).toBe(expected);
    expect(directoryOf(...proxies.toReversed()).proxyForDevice(request)?.name).toBe(expected);
  });

  it.each<[string, ProxyRecord[], Presence, string | undefined]>([
    ['the proxy that holds it', [us, busy], on('us-2'), 'us-2'],
    ['the proxy that holds it, also while that drains', [us, draining], on('us-5'), 'us-5'],
    ['where its device would dial', [busy, us], { ...on('us-2'), online: false }, 'us-1'],
    ['a draining one, if there is no other', [draining, silent], NO_PRESENCE, 'us-5'],
    ['the last that was heard of, if all are silent', [silent], on('us-7'), 'us-7'],
    ['nowhere, before any proxy was seen', [], NO_PRESENCE, undefined],
  ])('a request for a site is sent to %s', (_what, proxies, presence, expected) => {
    const serving = directoryOf(...proxies).proxyForSite({
      ...presence,
      region: 'us',
      requestedRegion: null,
    });
    expect(serving?.name).toBe(expected);
  });
});

describe('ProxyDirectory.siteAddress', () => {
  const us = proxyOf({ name: 'us-1' });
  const eu = proxyOf({ name: 'eu-1', region: 'eu' });
  const site = { region: 'us', requestedRegion: 'eu', online: true, proxyName: 'eu-1', lastSeenAt: null };

  it('a site is browsed in its own region while its device is in another', () => {
    const directory = directoryOf(us, eu);
    expect(directory.proxyForSite(site)?.name).toBe('eu-1');
    expect(directory.siteAddress('Home', site)?.url).toBe('https://home.us.example.org');
  });

  it('a site is browsed in its region while all proxies are silent, and has no address without a known proxy', () => {
    const silent = { ...us, announcedAt: new Date(0) };
    expect(directoryOf(silent, eu).siteAddress('home', site)?.host).toBe('home.us.example.org');
    expect(directoryOf(eu).siteAddress('home', site)).toBeUndefined();
  });
});

it('concurrent devices spread evenly over proxies of any capacity and load', () => {
  const proxies = fc.array(
    fc.record({ capacity: fc.integer({ min: 50, max: 1000 }), sessionCount: fc.nat(40) }),
    { minLength: 1, maxLength: 6 },
  );
  fc.assert(
    fc.property(proxies, fc.integer({ min: 1, max: 1000 }), fc.nat(1000), (given, devices, spanMs) => {
      const known = given.map((proxy, i) => proxyOf({ ...proxy, name: `us-${i}` }));
      const assignments = new Assignments();
      const counts = new Map(known.map(({ name, sessionCount }) => [name, sessionCount]));
      for (let n = 0; n < devices; n++) {
        const nowMs = NOW + Math.floor((n * spanMs) / devices);
        const directory = new ProxyDirectory(known, nowMs, (proxy) => assignments.loadOf(proxy));
        const proxy = directory.proxyForDevice({ presence: NO_PRESENCE, regions: [] });
        if (proxy === undefined) throw new Error('no proxy');
        assignments.add(proxy.name, nowMs);
        counts.set(proxy.name, (counts.get(proxy.name) ?? 0) + 1);
      }
      const loads = known.map(({ name, capacity }) => ({ capacity, count: counts.get(name) ?? 0 }));
      for (const a of loads.filter((_, i) => (counts.get(`us-${i}`) ?? 0) > (given[i]?.sessionCount ?? 0))) {
        // No proxy that got a device was fuller before than any other is now.
        for (const b of loads) {
          const wasFuller = (a.count - 1) / a.capacity > b.count / b.capacity;
          const isFull = (a.count - 1) / a.capacity >= 1;
          expect(wasFuller && !isFull).toBe(false);
        }
      }
    }),
    { numRuns: 40 },
  );
});

it('an announcement ends the count of the assignments before it', () => {
  const assignments = new Assignments();
  const proxy = proxyOf({ sessionCount: 3, capacity: 10 });
  for (let n = 0; n < 4; n++) assignments.add('us-1', NOW + n * 300);
  expect(assignments.loadOf(proxy)).toBe(0.7);
  const at = (ms: number) => ({ ...proxy, announcedAt: new Date(NOW + ms) });
  expect(assignments.loadOf(at(500))).toBe(0.5);
  expect(assignments.loadOf(at(5_000))).toBe(0.3);
});
