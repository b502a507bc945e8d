import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { type EnergyAmount, HALF_WMS_PER_WH } from './energy-amount.ts';
import type { EnergyState } from './ledger.ts';
import { ENERGY_PERIODS, isTimeZone } from './period.ts';

/** The stored text is no energy state: a card that wears out changes bits, which SQLite does not notice in a text. */
export class DamagedEnergy extends Error {
  override readonly name = 'DamagedEnergy';
}

/**
 * Keeps the energy state: one row, stored whole in one commit that is on the disk when `save` returns. With
 * the database's page of 1 KiB a commit writes 1,048 bytes to the write-ahead log: 45 MB a day at a poll every
 * two seconds, where pages of SQLite's usual 4 KiB would make it 178 MB.
 */
export class EnergyStore {
  readonly #select: StatementSync;
  readonly #upsert: StatementSync;

  constructor(db: DatabaseSync) {
    this.#select = db.prepare('SELECT state FROM energy');
    this.#upsert = db.prepare(
      'INSERT INTO energy (id, state) VALUES (1, ?) ON CONFLICT (id) DO UPDATE SET state = excluded.state',
    );
  }

  /** @throws DamagedEnergy */
  load(): EnergyState | undefined {
    const text = this.#select.get()?.state;
    return typeof text === 'string' ? stateFrom(text) : undefined;
  }

  save(state: EnergyState): void {
    this.#upsert.run(JSON.stringify(state));
  }
}

function stateFrom(text: string): EnergyState {
  let state: Partial<EnergyState> | null;
  try {
    state = JSON.parse(text) as Partial<EnergyState> | null;
  } catch (error) {
    throw new DamagedEnergy('it cannot be read', { cause: error });
  }
  const { period, zone, startedAt, amounts } = state ?? {};
  if (
    period === undefined ||
    !ENERGY_PERIODS.includes(period) ||
    !Number.isSafeInteger(startedAt) ||
    !(zone === undefined || isTimeZone(zone)) ||
    !isObject(amounts) ||
    !Object.values(amounts).every(isAmount)
  ) {
    throw new DamagedEnergy('it makes no sense');
  }
  return state as EnergyState;
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isAmount(amount: unknown): boolean {
  const { wattHours, rest } = Object(amount) as Partial<EnergyAmount>;
  return isWhole(wattHours) && isWhole(rest) && rest < HALF_WMS_PER_WH;
}

function isWhole(value: number | undefined): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}
