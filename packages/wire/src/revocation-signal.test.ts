import { expect, it } from 'vitest';
import { isRevocationSignal, revocationSignal } from './revocation-signal.ts';

const ADA = { subject: 'user:12', revokedAt: 1_780_315_200_000 };
const GRAFANA = { subject: 'token:7', revokedAt: 1_780_315_200_001 };

it('a revocation ping has eight bytes and ignores the order of revocations', () => {
  const ping = revocationSignal([ADA, GRAFANA]);
  expect(ping.toString('hex')).toBe('72766b3d2a9a254e');
  expect(revocationSignal([GRAFANA, ADA])).toEqual(ping);
  expect(isRevocationSignal(ping)).toBe(true);
});

it('the ping is another one for every other set of revocations', () => {
  const sets = [[], [ADA], [GRAFANA], [ADA, GRAFANA], [{ ...ADA, revokedAt: ADA.revokedAt + 1 }]];
  expect(new Set(sets.map((set) => revocationSignal(set).toString('hex'))).size).toBe(sets.length);
});

it('other pings are none of these', () => {
  for (const other of ['move-on!', '\0\0\0\0\0\0\0\0', 'RVK12345']) {
    expect(isRevocationSignal(Buffer.from(other))).toBe(false);
  }
});
