import { ACKNOWLEDGED, REFUSED } from '@heliograph/device/pi30';
import { BATTERY } from '../physics/battery.ts';
import type { PlantSettings } from '../physics/settings.ts';
import type { SimulatedPlant } from '../physics/simulated-plant.ts';
import { flags, generalStatus, modeOf, parallelStatus, ratings, type Share, secondMppt } from './answers.ts';
import {
  AS_DELIVERED,
  CHARGE_CURRENTS,
  changeOf,
  GRID_CHARGE_CURRENTS,
  type Pi30StoredSettings,
} from './stored-settings.ts';

export interface Pi30Options {
  /** Serial numbers, by the inverters' numbers in their parallel system; one stands alone. */
  readonly serials?: readonly string[];
  /** The number of the inverter that the cable goes to. */
  readonly cableTo?: number;
  /** So many answers to `QPIRI` and `QFLAG` still hold the old settings after an acknowledged command. */
  readonly slowBy?: number;
}

const DEFAULT_SERIALS = ['92932012100458'];
const NO_WARNINGS = '0'.repeat(36);
const SINGLE = 0;
const PARALLEL = 1;

/** The settings that change what the plant does. */
const LIMITS_CHARGE = 1;
const LIMITS_DISCHARGE = 2;

/** The plant as one inverter that speaks PI30, or as several that answer through one of them. */
export class Pi30Inverter {
  readonly #plant: SimulatedPlant;
  readonly #serials: readonly string[];
  readonly #number: number;
  readonly #slowBy: number;
  #settings: Pi30StoredSettings = AS_DELIVERED;
  #shown: Pi30StoredSettings = AS_DELIVERED;
  #oldAnswers = 0;

  constructor(plant: SimulatedPlant, options: Pi30Options = {}) {
    this.#plant = plant;
    this.#serials = options.serials ?? DEFAULT_SERIALS;
    this.#number = options.cableTo ?? 0;
    this.#slowBy = options.slowBy ?? 0;
  }

  /** The answer to a command, without its frame. */
  answer(command: string): string {
    switch (command) {
      case 'QPI':
        return 'PI30';
      case 'QID':
        return this.#serials[this.#number] ?? REFUSED;
      case 'QVFW':
        return 'VERFW:00072.70';
      case 'QMN':
        return 'VMIII-6000';
      case 'QGMN':
        return '053';
      case 'QMCHGCR':
        return CHARGE_CURRENTS.map(threeDigits).join(' ');
      case 'QMUCHGCR':
        return GRID_CHARGE_CURRENTS.map(threeDigits).join(' ');
      case 'QPIWS':
        return NO_WARNINGS;
      case 'QMOD':
        return modeOf(this.#share().reading, this.#settings);
      case 'QPIGS':
        return generalStatus(this.#share());
      case 'QPIGS2':
        return secondMppt(this.#share());
      case 'QPIRI':
        return ratings(this.#visible(), this.#serials.length > 1 ? PARALLEL : SINGLE);
      case 'QFLAG':
        return flags(this.#visible());
      default:
        return this.#parallel(command) ?? this.#change(command);
    }
  }

  #share(): Share {
    this.#plant.advance();
    const { reading, state } = this.#plant;
    return { reading, cabinetC: state.cabinetC, count: this.#serials.length };
  }

  #visible(): Pi30StoredSettings {
    if (this.#oldAnswers > 0) this.#oldAnswers -= 1;
    else this.#shown = this.#settings;
    return this.#shown;
  }

  #parallel(command: string): string | undefined {
    const number = /^QPGS(\d)$/.exec(command)?.[1];
    if (number === undefined || this.#serials.length === 1) return undefined;
    return parallelStatus(this.#share(), this.#settings, this.#serials[Number(number)]);
  }

  #change(command: string): string {
    const change = changeOf(command, this.#settings, this.#number);
    if (change === undefined) return REFUSED;
    this.#settings = { ...this.#settings, ...change };
    this.#oldAnswers = this.#slowBy;
    this.#plant.apply(effectOf(change, this.#plant.settings));
    return ACKNOWLEDGED;
  }
}

/** Utility and solar first leave the battery alone while there is a grid; charging from the grid is a priority. */
function effectOf(change: Partial<Pi30StoredSettings>, now: PlantSettings): Partial<PlantSettings> {
  const { outputPriority, chargerPriority, maxChargeA } = change;
  const effect: { -readonly [name in keyof PlantSettings]?: number } = {};
  if (outputPriority !== undefined) {
    effect.StorCtl_Mod = now.StorCtl_Mod | LIMITS_DISCHARGE;
    effect.OutWRte = outputPriority === 2 ? 100 : 0;
  }
  if (chargerPriority !== undefined)
    effect.ChaGriSet = chargerPriority === 0 || chargerPriority === 2 ? 1 : 0;
  if (maxChargeA !== undefined) {
    effect.StorCtl_Mod = now.StorCtl_Mod | LIMITS_CHARGE;
    effect.InWRte = Math.min(100, (100 * maxChargeA * BATTERY.nominalV) / BATTERY.maxChargeW);
  }
  return effect;
}

function threeDigits(amps: number): string {
  return String(amps).padStart(3, '0');
}
