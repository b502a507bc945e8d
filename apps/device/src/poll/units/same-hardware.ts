import type { Logger } from '@heliograph/kit';
import { topicPrefix } from '@heliograph/metrics';
import type { KnownUnit } from './known-units.ts';

/** A unit behind one connection, with the serial number that it reports now. */
export interface SeenUnit {
  readonly url: string;
  readonly known: KnownUnit;
  /** Null while it is unknown. */
  readonly serialNumber: string | null;
}

/** Shorter ones, and those of one character, are placeholders that hardware of some makers shares. */
const MIN_SERIAL_LENGTH = 6;

/**
 * Recognises hardware that is seen twice: over two connections, or at two units of a bus. Units of one connection are
 * distinct: the hardware itself lists them.
 */
export class SameHardware {
  readonly #logger: Logger;
  /** By the unit that is seen again, the unit that counts; kept while either cannot be reached. */
  readonly #owners = new Map<string, SeenUnit>();

  constructor(logger: Logger) {
    this.#logger = logger;
  }

  /** @param seen the units of all connections, in the order of the configuration: the first of two counts */
  update(seen: readonly SeenUnit[]): void {
    for (const [index, unit] of seen.entries()) {
      const { serialNumber } = unit;
      if (serialNumber === null) continue;
      const first = seen.slice(0, index).find((other) => isSame(other, unit));
      const id = idOf(unit);
      if (first === undefined) {
        const owner = this.#owners.get(id);
        if (owner !== undefined && owner.serialNumber !== serialNumber) this.#owners.delete(id);
      } else {
        if (!this.#owners.has(id)) {
          this.#logger.warn(
            { connection: unit.url, same_as: first.url, unit: prefixOf(first.known) },
            'this hardware is connected twice and counts once',
          );
        }
        this.#owners.set(id, first);
      }
    }
  }

  /** @returns the topic prefix of the unit that counts in place of this one, such as `inverter_1`; null for one that counts */
  ownerOf(url: string, { key }: KnownUnit): string | null {
    const owner = this.#owners.get(`${url} ${key}`);
    return owner === undefined ? null : prefixOf(owner.known);
  }
}

function isSame(one: SeenUnit, other: SeenUnit): boolean {
  const { serialNumber } = other;
  if (serialNumber === null || one.serialNumber !== serialNumber || one.url === other.url) return false;
  const isPlaceholder = serialNumber.length < MIN_SERIAL_LENGTH || /^(.)\1*$/.test(serialNumber);
  return one.known.unit.kind === other.known.unit.kind && !isPlaceholder;
}

function idOf({ url, known }: SeenUnit): string {
  return `${url} ${known.key}`;
}

function prefixOf({ unit }: KnownUnit): string {
  return topicPrefix(unit.kind, unit.number);
}
