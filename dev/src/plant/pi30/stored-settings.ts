/** The settings in an inverter's EEPROM, as in `QPIRI` and `QFLAG`. */
export interface Pi30StoredSettings {
  readonly batteryType: number;
  readonly maxGridChargeA: number;
  readonly maxChargeA: number;
  readonly inputRange: number;
  readonly outputPriority: number;
  readonly chargerPriority: number;
  readonly pvOk: number;
  readonly powerBalance: number;
  readonly toGridV: number;
  readonly backToBatteryV: number;
  readonly shutdownV: number;
  readonly absorptionV: number;
  readonly floatV: number;
  /** Letters of what is enabled; the others are disabled. */
  readonly flags: string;
}

export const CHARGE_CURRENTS = [10, 20, 30, 40, 50, 60, 70, 80, 90, 100, 110, 120];
export const GRID_CHARGE_CURRENTS = [2, 10, 20, 30, 40, 50, 60, 70, 80];

export const AS_DELIVERED: Pi30StoredSettings = {
  batteryType: 2,
  maxGridChargeA: 30,
  maxChargeA: 100,
  inputRange: 1,
  outputPriority: 2,
  chargerPriority: 1,
  pvOk: 0,
  powerBalance: 1,
  toGridV: 46,
  backToBatteryV: 54,
  shutdownV: 44,
  absorptionV: 56.4,
  floatV: 54,
  flags: 'adkuxyz',
};

export const FLAG_LETTERS = 'abdjkuvxyz';
export const USER_BATTERY = 2;

type Change = Partial<Pi30StoredSettings>;
type Rule = readonly [
  command: RegExp,
  apply: (digits: string, now: Pi30StoredSettings) => Change | undefined,
];

const only = (allowed: boolean, change: Change): Change | undefined => (allowed ? change : undefined);
const between = (value: number, low: number, high: number): boolean => value >= low && value <= high;

/** Every command that changes something. In parallel systems some carry the inverter's number before the value. */
const rules = (number: number): readonly Rule[] => [
  [/^POP0([0-2])$/, (code) => ({ outputPriority: Number(code) })],
  [/^PCP0([0-3])$/, (code) => ({ chargerPriority: Number(code) })],
  [new RegExp(`^PPCP${number}0([0-3])$`), (code) => ({ chargerPriority: Number(code) })],
  [new RegExp(`^MCHGC${number}(\\d\\d)$`), charge],
  [new RegExp(`^MNCHGC${number}(\\d{3})$`), charge],
  [
    new RegExp(`^MUCHGC${number}(\\d\\d)$`),
    (amps) => only(GRID_CHARGE_CURRENTS.includes(Number(amps)), { maxGridChargeA: Number(amps) }),
  ],
  [/^PBT0([0-2])$/, (code) => ({ batteryType: Number(code) })],
  [/^PGR0([01])$/, (code) => ({ inputRange: Number(code) })],
  [/^PPVOKC([01])$/, (code) => ({ pvOk: Number(code) })],
  [/^PSPB([01])$/, (code) => ({ powerBalance: Number(code) })],
  [
    /^PBCV(\d\d\.0)$/,
    (text, now) => {
      const volts = Number(text);
      const below = now.backToBatteryV === 0 || volts < now.backToBatteryV;
      return only(between(volts, 44, 51) && below, { toGridV: volts });
    },
  ],
  [
    /^PBDV(\d\d\.0)$/,
    (text, now) => {
      const volts = Number(text);
      const above = between(volts, 48, 58) && volts > now.toGridV;
      return only(volts === 0 || above, { backToBatteryV: volts });
    },
  ],
  [/^PSDV(\d\d\.\d)$/, (text) => only(between(Number(text), 40, 48), { shutdownV: Number(text) })],
  [
    /^PCVV(\d\d\.\d)$/,
    (text, now) => {
      const volts = Number(text);
      const allowed = now.batteryType === USER_BATTERY && between(volts, Math.max(48, now.floatV), 58.4);
      return only(allowed, { absorptionV: volts });
    },
  ],
  [
    /^PBFT(\d\d\.\d)$/,
    (text, now) => {
      const volts = Number(text);
      const allowed = now.batteryType === USER_BATTERY && between(volts, 48, Math.min(58.4, now.absorptionV));
      return only(allowed, { floatV: volts });
    },
  ],
  [/^PE([a-z])$/, (letter, now) => flag(letter, { flags: without(now, letter) + letter })],
  [/^PD([a-z])$/, (letter, now) => flag(letter, { flags: without(now, letter) })],
];

/** The change of a command; undefined when the inverter refuses it. */
export function changeOf(command: string, now: Pi30StoredSettings, number: number): Change | undefined {
  for (const [pattern, apply] of rules(number)) {
    const value = pattern.exec(command)?.[1];
    if (value !== undefined) return apply(value, now);
  }
  return undefined;
}

function charge(amps: string): Change | undefined {
  return only(CHARGE_CURRENTS.includes(Number(amps)), { maxChargeA: Number(amps) });
}

function flag(letter: string, change: Change): Change | undefined {
  return only(FLAG_LETTERS.includes(letter), change);
}

function without({ flags }: Pi30StoredSettings, letter: string): string {
  return flags.replace(letter, '');
}
