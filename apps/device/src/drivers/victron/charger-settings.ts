import type { Clock } from '@heliograph/kit';
import { type MetricValue, type Quantity, roundTo } from '@heliograph/metrics';
import { LinkDown } from '../../bus/failures.ts';
import type { OnSend } from '../driver.ts';
import { isUnlistedOption, withCurrentOption } from '../unlisted-option.ts';
import type { ReadBackTime } from '../write-verified.ts';
import type { HexPort } from './hex-port.ts';
import { SERIAL_NUMBER_REGISTER } from './identity-registers.ts';
import { ratedCurrentA } from './products.ts';
import { CHARGER_SETTINGS, LIMIT_REGISTERS, type Limits, quantityOf, type Register } from './registers.ts';
import { writeSetting } from './write-setting.ts';

/**
 * How often settings are read again. A request makes some devices hold back their text for seconds, so it is made
 * rarely; a value older than two missed turns is no longer reported.
 */
export const REREAD_MS = 60_000;
export const OLDEST_MS = 150_000;

export interface ChargerTimes {
  readonly clock: Clock;
  /** The system's when left out. */
  readonly readBackTime?: ReadBackTime | undefined;
}

interface Offered {
  readonly register: Register;
  readonly quantity: Quantity;
}

interface Read {
  readonly value: MetricValue;
  readonly atMs: number;
}

/** The settings of a solar charger, as of their last reading. */
export class ChargerSettings {
  readonly #port: HexPort;
  readonly #clock: Clock;
  readonly #offered: readonly Offered[];
  readonly #readBackTime: ReadBackTime | undefined;
  readonly #serialNumber: MetricValue | undefined;
  readonly #read = new Map<string, Read>();

  private constructor(
    port: HexPort,
    { clock, readBackTime }: ChargerTimes,
    offered: readonly Offered[],
    serialNumber: MetricValue | undefined,
  ) {
    this.#port = port;
    this.#clock = clock;
    this.#offered = offered;
    this.#readBackTime = readBackTime;
    this.#serialNumber = serialNumber;
  }

  /**
   * Finds out which settings the charger has, and within what bounds.
   *
   * @param charger its product's name, which holds the rated current where no register does, and its serial number
   * @returns undefined when the charger does not answer: the line may carry its text alone
   * @throws LinkDown when it stops answering midway
   */
  static async open(
    port: HexPort,
    times: ChargerTimes,
    { model, serialNumber }: { readonly model: string | null; readonly serialNumber: string | undefined },
  ): Promise<ChargerSettings | undefined> {
    if (!(await isResponding(port))) return undefined;
    const limits = await readLimits(port, model);
    const found: (Offered & { value: MetricValue })[] = [];
    for (const register of CHARGER_SETTINGS) {
      const value = await port.get(register);
      if (value === undefined) continue;
      found.push({ register, quantity: withCurrentOption(quantityOf(register, limits), value), value });
    }
    // Chargers that do not answer it, or with another text, are known by what they send of their own accord.
    const inRegister = await unlessDown(() => port.getText(SERIAL_NUMBER_REGISTER));
    const known = inRegister === serialNumber ? serialNumber : undefined;
    const settings = new ChargerSettings(port, times, found, known);
    for (const { quantity, value } of found) settings.#store(quantity, value);
    return settings;
  }

  get quantities(): readonly Quantity[] {
    return this.#offered.map(({ quantity }) => quantity);
  }

  /** Whether a setting was put to something that was no option when the charger was opened. */
  get hasUnlistedOption(): boolean {
    return this.#offered.some(({ quantity }) =>
      isUnlistedOption(quantity, this.#read.get(quantity.name)?.value),
    );
  }

  /** Reads all again, until one is not answered. */
  async reread(): Promise<void> {
    for (const { register, quantity } of this.#offered) {
      const value = await unlessDown(() => this.#port.get(register));
      if (value === undefined) return;
      this.#store(quantity, value);
    }
  }

  /** The values that were read within `OLDEST_MS`. */
  get values(): readonly (readonly [name: string, value: MetricValue])[] {
    const oldest = this.#clock.monotonic() - OLDEST_MS;
    return [...this.#read].filter(([, { atMs }]) => atMs >= oldest).map(([name, { value }]) => [name, value]);
  }

  /** When a value was read, in monotonic milliseconds. */
  readAt(name: string): number | undefined {
    return this.#read.get(name)?.atMs;
  }

  /** @throws RejectedByHardware, LinkDown, WriteUnanswered as `writeSetting` does */
  async write(
    name: string,
    value: number | string,
    signal?: AbortSignal,
    onSend?: OnSend,
  ): Promise<MetricValue> {
    const found = this.#offered.find(
      ({ quantity }) => quantity.name === name && quantity.setting !== undefined,
    );
    if (found === undefined) throw new RangeError(`the charger has no setting ${name}`);
    const { register, quantity } = found;
    const time = this.#readBackTime;
    const serialNumber = this.#serialNumber;
    const write = {
      signal,
      time,
      serialNumber,
      onSend: (before: MetricValue) => onSend?.(roundTo(quantity, before)),
    };
    const now = roundTo(quantity, await writeSetting(this.#port, register, value, write));
    this.#store(quantity, now);
    return now;
  }

  #store(quantity: Quantity, value: MetricValue): void {
    this.#read.set(quantity.name, { value: roundTo(quantity, value), atMs: this.#clock.monotonic() });
  }
}

/** Whether the charger answers at all, even with a refusal of the register. */
export async function isResponding(port: HexPort): Promise<boolean> {
  const [first] = CHARGER_SETTINGS;
  if (first === undefined) return false;
  const answered = await unlessDown(async () => ({ value: await port.get(first) }));
  return answered !== undefined;
}

async function readLimits(port: HexPort, model: string | null): Promise<Limits> {
  const limit = async (name: keyof Limits): Promise<number | undefined> => {
    const value = await port.get(LIMIT_REGISTERS[name]);
    return typeof value === 'number' && value > 0 ? value : undefined;
  };
  return {
    maxCurrentA: (await limit('maxCurrentA')) ?? ratedCurrentA(model),
    lowestV: await limit('lowestV'),
    highestV: await limit('highestV'),
  };
}

async function unlessDown<T>(read: () => Promise<T>): Promise<T | undefined> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof LinkDown) return undefined;
    throw error;
  }
}
