import type { ProbeFinding } from '@heliograph/contracts';
import { connectionEntry } from './connection-entry.ts';
import type { Finding } from './probe-bus.ts';

/** A finding, and the connection by which the device would read it, for pages to show and to configure. */
export function foundHardware(finding: Finding): ProbeFinding {
  const { driver, bus, unit = null, options = {} } = connectionEntry(finding);
  return {
    driver,
    title: finding.family.title,
    bus,
    unit,
    units: finding.hardware.units.map(({ kind, model }, index) => ({
      kind,
      model,
      serial_number: finding.serialNumbers[index] ?? null,
    })),
    connection: { driver, bus, unit, role: null, options },
  };
}
