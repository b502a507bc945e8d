import { Type } from 'typebox';
import { checkConfig } from '../../src/config/check.ts';
import type { Drivers } from '../../src/config/connections.ts';
import type { FileSettings } from '../../src/config/settings.ts';
import type { DriverFamily } from '../../src/drivers/driver.ts';
import { family as sunspec } from '../../src/drivers/sunspec/index.ts';

/** Two families beside a real one that differ in all that a configuration depends on. */
const { readsMeters: _, ...likeSunspec } = sunspec;
const talker: DriverFamily = {
  ...likeSunspec,
  name: 'talker',
  speaks: 'bytes',
  unaddressed: true,
  transports: ['serial', 'hid'],
  line: { baudRate: 2400, parity: 'none', stopBits: 1 },
  open: () => Promise.reject(new Error('never opened')),
};
const chooser: DriverFamily = {
  ...likeSunspec,
  name: 'chooser',
  options: Type.Object({
    phases: Type.Optional(Type.Enum([1, 3])),
    wires: Type.Optional(Type.Union([Type.Literal('long'), Type.Literal('short')])),
  }),
};

export const DRIVERS: Drivers = new Map([sunspec, talker, chooser].map((family) => [family.name, family]));

/** The settings of a valid text. */
export function settings(text: string): FileSettings {
  const checked = checkConfig(text, DRIVERS);
  if ('problems' in checked) throw new Error(JSON.stringify(checked.problems));
  return checked.settings;
}

/** The problems of a text, as `line:column field: message`. */
export function problems(text: string): string[] {
  const checked = checkConfig(text, DRIVERS);
  if ('settings' in checked) return [];
  return checked.problems.map(({ line, column, field, message }) => `${line}:${column} ${field}: ${message}`);
}
