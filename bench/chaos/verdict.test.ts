import { describe, expect, it } from 'vitest';
import { footprintFaults } from './footprint.ts';
import type { Incident, Victim } from './incident.ts';
import { Journal, type Purpose } from './journal.ts';
import { restartFaults } from './rolling-restart.ts';
import { failureFaults, incidentFaults } from './verdict.ts';

const PROXY = '127.0.0.1:4001';
const killed = (victim: Victim, backAt: number): Incident => ({
  victim,
  host: victim === 'proxy' ? PROXY : undefined,
  killedAt: 1_000,
  listeningAt: 3_000,
  backAt,
});

function journalOf(failure: {
  what: string;
  purpose?: Purpose;
  host?: string;
  at?: number;
  later?: boolean;
  detail?: string;
}) {
  const { what, purpose = 'read', host = PROXY, at = 2_000, later = false, detail = '' } = failure;
  const journal = new Journal();
  journal.failures.push({ what, purpose, host, startedAt: at, endedAt: at, later, detail });
  return journal;
}

describe('while parts are killed', () => {
  it.each([
    ['a status', { what: '503' }, 0],
    ['a connection that the killed proxy refused', { what: 'refused' }, 0],
    ['a connection that broke with the killed proxy', { what: 'broken' }, 0],
    ['a refused connection to another proxy', { what: 'refused', host: '127.0.0.1:4003' }, 1],
    ['a broken connection after the proxy was back', { what: 'broken', at: 3_001 }, 1],
    ['silence', { what: 'silent' }, 1],
    ["another client's answer", { what: 'unexpected' }, 1],
  ])('%s, %j, has so many faults: %i', (_what, failure, count) => {
    expect(failureFaults([killed('proxy', 4_000)], journalOf(failure))).toHaveLength(count);
  });

  it.each<[Victim, number, number]>([
    ['proxy', 8_000, 0],
    ['device', 8_001, 1],
    ['proxy machine', 6_000, 0],
    ['proxy machine', 6_001, 1],
  ])('the tunnel of a killed %s may be back at %i with so many faults: %i', (victim, backAt, count) => {
    expect(incidentFaults([killed(victim, backAt)], new Journal())).toHaveLength(count);
  });

  it.each<[Victim, number, number]>([
    ['proxy', 8_000, 0],
    ['proxy', 8_001, 1],
    ['proxy machine', 6_000, 0],
    ['proxy machine', 6_001, 1],
    ['device', 9_000, 1],
  ])(
    'a read by name may fail until so long after a %s was killed: at %i it has %i faults',
    (victim, at, count) => {
      const journal = journalOf({ what: '503', purpose: 'read by name', host: '127.0.0.1:1', at });
      expect(incidentFaults([killed(victim, 4_000)], journal)).toHaveLength(count);
    },
  );

  it('the cloud may take half a minute to answer after the loss of the primary, and no read may fail', () => {
    expect(incidentFaults([killed('primary', 31_000)], new Journal())).toEqual([]);
    expect(incidentFaults([killed('primary', 31_001)], new Journal())).toHaveLength(1);
    expect(incidentFaults([killed('primary', 4_000)], journalOf({ what: '503' }))).toHaveLength(1);
  });

  it('a read by name may break with any killed proxy', () => {
    const broken = journalOf({ what: 'broken', purpose: 'read by name', host: '127.0.0.1:1' });
    expect(failureFaults([killed('proxy', 4_000)], broken)).toEqual([]);
    expect(failureFaults([killed('device', 4_000)], broken)).toHaveLength(1);
  });

  it('a read must not fail for the cloud, as long as it is at the proxy that the cloud named', () => {
    const incidents = [killed('cloud', 60_000)];
    expect(incidentFaults(incidents, journalOf({ what: '503', purpose: 'read elsewhere' }))).toEqual([]);
    expect(incidentFaults(incidents, journalOf({ what: '503' }))).toHaveLength(1);
  });
});

describe('while proxies restart in turn', () => {
  const turns = [{ proxy: 'proxy', host: PROXY, signalledAt: 1_000, endedAt: 2_500, listeningAt: 3_000 }];

  it.each([
    ['a 503 with Retry-After', { what: '503', later: true }, 0],
    ['a 503 without', { what: '503' }, 1],
    ['a refused connection', { what: 'refused' }, 0],
    ['a refused connection later', { what: 'refused', at: 3_001 }, 1],
    [
      'a reset while connecting',
      { what: 'broken', detail: `connect ECONNRESET ${PROXY} on a new connection` },
      0,
    ],
    ['a reset before any answer', { what: 'broken', detail: 'read ECONNRESET on a new connection' }, 0],
    ['a reset of a used connection', { what: 'broken', detail: 'read ECONNRESET on a used connection' }, 1],
    ['a broken connection', { what: 'broken' }, 1],
    ['a 502', { what: '502' }, 1],
  ])('%s, %j, has so many faults: %i', (_what, failure, count) => {
    expect(restartFaults(turns, journalOf(failure))).toHaveLength(count);
  });
});

it('memory and open files may grow by little', () => {
  const before = [{ name: 'cloud', residentMb: 100, openFiles: 30 }];
  const after = (residentMb: number, openFiles: number) => [{ name: 'cloud', residentMb, openFiles }];
  expect(footprintFaults(before, after(135, 40))).toEqual([]);
  expect(footprintFaults(before, after(136, 40))).toHaveLength(1);
  expect(footprintFaults(before, after(100, 41))).toHaveLength(1);
});
