import { LinkDown } from '../../bus/failures.ts';
import { type HttpLogin, HttpRefusal, type JsonBus } from '../../bus/json/json-bus.ts';
import type { Hardware, Reading, Unit } from '../driver.ts';
import { quantitiesOf, readingOf } from '../entries.ts';
import type { Answer } from './fields.ts';
import { identityEntries, type ShellyIdentity } from './identity.ts';
import type { ShellyMeter } from './meters.ts';

/** A meter, and the answers by which it was found. */
export interface FoundMeter {
  readonly meter: ShellyMeter;
  readonly answers: readonly (Answer | undefined)[];
}

/** The meters of one Shelly device. */
export class ShellyHardware implements Hardware {
  readonly units: readonly Unit[];
  readonly #bus: JsonBus;
  readonly #login: HttpLogin | undefined;
  readonly #identity: ShellyIdentity;
  readonly #found: readonly FoundMeter[];

  constructor(
    bus: JsonBus,
    login: HttpLogin | undefined,
    identity: ShellyIdentity,
    found: readonly FoundMeter[],
  ) {
    this.#bus = bus;
    this.#login = login;
    this.#identity = identity;
    this.#found = found;
    this.units = found.map(({ meter, answers }) => ({
      kind: 'meters',
      model: identity.model,
      quantities: quantitiesOf([...identityEntries(identity, meter.channel), ...meter.entries(answers)]),
    }));
  }

  async poll(): Promise<readonly Reading[]> {
    const readings: Reading[] = [];
    for (const { meter, answers: opened } of this.#found) {
      const answers: (Answer | undefined)[] = [];
      for (const [index, path] of meter.paths.entries()) {
        answers.push(opened[index] === undefined ? undefined : await this.#get(path));
      }
      const entries = [...identityEntries(this.#identity, meter.channel), ...meter.entries(answers)];
      readings.push(readingOf(entries));
    }
    return readings;
  }

  async write(_unit: number, name: string): Promise<never> {
    throw new RangeError(`there is no setting ${name}`);
  }

  /** @throws LinkDown also when the device refuses what it answered before */
  async #get(path: string): Promise<Answer> {
    try {
      return Object(await this.#bus.get(path, this.#login));
    } catch (error) {
      if (!(error instanceof HttpRefusal)) throw error;
      throw new LinkDown(`${this.#bus.name}: ${error.message}`, { cause: error });
    }
  }
}
