import type { Quantity } from '@heliograph/metrics';
import { BATTERY } from '../battery-quantities.ts';
import type { Entry } from '../entries.ts';
import { BadFrame } from '../frame-errors.ts';

/** Lines of the answer to `info N`, by what stands before the colon. */
export const INFO_LINES: readonly { readonly label: string; readonly quantity: Quantity }[] = [
  { label: 'Manufacturer', quantity: BATTERY.manufacturer },
  { label: 'Device name', quantity: BATTERY.modelName },
  { label: 'Barcode', quantity: BATTERY.serialNumber },
  { label: 'Main Soft version', quantity: BATTERY.firmwareVersion },
];

const ADDRESS = 'Device address';
const SPECIFICATION = 'Specification';

/**
 * The answer to `info N`: a label and a value on each line.
 *
 * @throws BadFrame when it is of another module
 */
export function parseInfo(lines: readonly string[], module: number): readonly Entry[] {
  const values = new Map(
    lines.map((line) => {
      const [label = '', ...value] = line.split(':');
      return [label.trim(), value.join(':').trim()];
    }),
  );
  if (values.get(ADDRESS) !== String(module)) throw new BadFrame(`this is not about module ${module}`);
  const texts = INFO_LINES.flatMap(({ label, quantity }): Entry[] => {
    const value = values.get(label);
    return value === undefined || value === '' ? [] : [[quantity, value]];
  });
  const ampereHours = /^\d+V\/(\d+)AH$/i.exec(values.get(SPECIFICATION) ?? '')?.[1];
  return ampereHours === undefined ? texts : [...texts, [BATTERY.capacity, Number(ampereHours)]];
}
