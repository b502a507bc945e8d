import { BATTERY } from '../physics/battery.ts';
import { MANUFACTURER, MODEL, type Module, serialNumber } from './modules.ts';

/** Up to here the fields of 16 bits hold a pack's capacity in mAh; the real ones change at 65 Ah. */
const MAX_MAH_IN_16_BITS = 65_000;
const FULL_PCT = 99.5;

/** Most significant byte first. */
const u16 = (value: number): readonly number[] => [(value >> 8) & 0xff, value & 0xff];
const u24 = (value: number): readonly number[] => [(value >> 16) & 0xff, ...u16(value)];
const kelvin = (celsius: number): readonly number[] => u16(Math.round(10 * celsius) + 2731);
const text = (value: string, length: number, padding: string): readonly number[] => [
  ...Buffer.from(value.padEnd(length, padding).slice(0, length), 'latin1'),
];

/** @param first the address that was asked, or how many modules answer */
export function analog(modules: readonly Module[], first: number): readonly number[] {
  return [0, first, ...modules.flatMap(analogBlock)];
}

function analogBlock(module: Module): readonly number[] {
  const { cellsMv, cellC, deciamps, millivolts, remainingMah, totalMah, cycles } = module;
  const large = totalMah > MAX_MAH_IN_16_BITS;
  return [
    cellsMv.length,
    ...cellsMv.flatMap(u16),
    5,
    ...kelvin(cellC + 2),
    ...[0, 0.2, -0.1, 0.1].flatMap((off) => kelvin(cellC + off)),
    ...u16(deciamps),
    ...u16(millivolts),
    ...u16(large ? 0xffff : remainingMah),
    large ? 4 : 2,
    ...u16(large ? 0xffff : totalMah),
    ...u16(cycles),
    ...(large ? [...u24(remainingMah), ...u24(totalMah)] : []),
  ];
}

export function alarms(modules: readonly Module[], first: number): readonly number[] {
  const blocks = modules.flatMap(({ cellsMv, deciamps, stateOfChargePct }) => {
    const flow = deciamps > 0 ? 0x80 : deciamps < 0 ? 0x40 : 0;
    const full = stateOfChargePct >= FULL_PCT ? 0x08 : 0;
    const nothing = (count: number) => new Array<number>(count).fill(0);
    return [cellsMv.length, ...nothing(cellsMv.length), 5, ...nothing(8), 0, 0x0e, flow | full, 0, 0];
  });
  return [0, first, ...blocks];
}

/** The limits of the inverter, in 0.001 V and 0.1 A; both directions are allowed. */
export function management(address: number, modules: number): readonly number[] {
  const ampsPerModule = BATTERY.maxChargeW / BATTERY.nominalV / modules;
  const deciamps = Math.round(10 * ampsPerModule);
  return [address, ...u16(56_800), ...u16(46_000), ...u16(deciamps), ...u16(-deciamps), 0xc0];
}

export function systemParameters(): readonly number[] {
  return [
    0,
    ...[3650, 3050, 2900].flatMap(u16),
    ...[61, -11].flatMap(kelvin),
    ...u16(1020),
    ...[57_600, 49_000, 46_400].flatMap(u16),
    ...[61, -11].flatMap(kelvin),
    ...u16(-1000),
  ];
}

export function manufacturer(): readonly number[] {
  return [...text(MODEL, 10, '\0'), 2, 3, ...text(MANUFACTURER, 20, '-')];
}

export function serialNumberInfo(address: number, module: number): readonly number[] {
  return [address, ...text(serialNumber(module), 16, '\0')];
}

export function firmware(address: number): readonly number[] {
  return [address, 1, 4, 67, 5, 0];
}
