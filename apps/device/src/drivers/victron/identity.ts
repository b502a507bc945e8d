import { type MetricValue, type Quantity, quantities } from '@heliograph/metrics';
import { productName } from './products.ts';
import type { VeDirectFields } from './text-block.ts';

export const MANUFACTURER = quantities.info('Manufacturer');
export const MODEL_NAME = quantities.info('Model name');
export const MODEL_NUMBER = quantities.info('Model number');
export const SERIAL_NUMBER = quantities.info('Serial number');
export const FIRMWARE_VERSION = quantities.info('Firmware version');

/** The nameplate of the device, from its text. */
export function identityOf(fields: VeDirectFields): readonly (readonly [Quantity, MetricValue])[] {
  const serialNumber = fields.get('SER#');
  const firmware = fields.get('FW') ?? fields.get('FWE');
  return [
    ...modelIdentity(modelOf(fields), fields.get('PID')),
    ...(serialNumber === undefined ? [] : [[SERIAL_NUMBER, serialNumber] as const]),
    ...(firmware === undefined ? [] : [[FIRMWARE_VERSION, firmwareText(firmware)] as const]),
  ];
}

export function modelIdentity(
  model: string | null,
  number: string | undefined,
): readonly (readonly [Quantity, MetricValue])[] {
  return [
    [MANUFACTURER, 'Victron Energy'],
    ...(model === null ? [] : [[MODEL_NAME, model] as const]),
    ...(number === undefined ? [] : [[MODEL_NUMBER, number] as const]),
  ];
}

/** The product's name, else the monitor's name, else the product number. */
export function modelOf(fields: VeDirectFields): string | null {
  const number = fields.get('PID');
  const known = number === undefined ? undefined : productName(Number(number));
  const monitor = fields.get('BMV');
  if (known !== undefined) return known;
  if (monitor !== undefined) return /^\d/.test(monitor) ? `BMV-${monitor}` : monitor;
  return number === undefined ? null : `Victron product ${number}`;
}

/** `139` and `0308` are 1.39 and 3.08; `0420FF` is the longer form of 4.20. Anything else stays as it is. */
function firmwareText(text: string): string {
  const [, major, minor] = /^(\d{1,2})(\d\d)(?:FF)?$/.exec(text) ?? [];
  return major === undefined || minor === undefined ? text : `${Number(major)}.${minor}`;
}
