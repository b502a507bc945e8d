import type { MetricValue, Quantity } from '@heliograph/metrics';
import { MODEL_NAME, modelIdentity, SERIAL_NUMBER } from './identity.ts';
import { productName } from './products.ts';
import { registerName } from './registers.ts';

/** The register of the serial number. */
export const SERIAL_NUMBER_REGISTER = 266;

type IdentityEntries = readonly (readonly [Quantity, MetricValue])[];

/**
 * Registers of the HEX protocol that identify a device, in recordings: a live one sends the same in its text.
 *
 * Source: `ve_regs.h` of https://github.com/victronenergy/gui-v2.
 */
const IDENTITY_REGISTERS: Readonly<Record<number, (bytes: Uint8Array) => IdentityEntries | undefined>> = {
  256: (bytes) => {
    const id = productId(bytes);
    return id === undefined ? undefined : productEntries(id);
  },
  [SERIAL_NUMBER_REGISTER]: (bytes) => [[SERIAL_NUMBER, textOf(bytes)]],
  267: (bytes) => [[MODEL_NAME, textOf(bytes)]],
};

/** Undefined for another register, and for a value of the wrong length. */
export function identityEntries(register: number, bytes: Uint8Array): IdentityEntries | undefined {
  return IDENTITY_REGISTERS[register]?.(bytes);
}

export function productEntries(id: number): IdentityEntries {
  return modelIdentity(productName(id) ?? null, registerName(id));
}

/** Between an instance and flags, low byte first; solar chargers send it alone, high byte first. */
function productId(bytes: Uint8Array): number | undefined {
  const buffer = Buffer.from(bytes);
  if (bytes.length === 4) return buffer.readUInt16LE(1);
  return bytes.length === 2 ? buffer.readUInt16BE(0) : undefined;
}

/** Up to the zero that ends it. */
export function textOf(bytes: Uint8Array): MetricValue {
  const [text = ''] = Buffer.from(bytes).toString('latin1').split('\0');
  return text.trim() === '' ? null : text.trim();
}
