import type { Quantity } from '@heliograph/metrics';
import type { Entry } from '../entries.ts';
import { METER, ofPhase } from '../meter-quantities.ts';
import {
  type Answer,
  EM_DATA_FIELDS,
  EM_FIELDS,
  EM1_DATA_FIELDS,
  EM1_FIELDS,
  EMETER_FIELDS,
  entriesOf,
  PHASE_LETTERS,
  PM_FIELDS,
  phaseEnergies,
  phaseFields,
  sumOf,
} from './fields.ts';

/** One meter: the paths that it is read from, and what is in their answers. */
export interface ShellyMeter {
  /** The channel of the device, from 0; undefined for one that measures all phases. */
  readonly channel: number | undefined;
  /** The first must be answered; hardware may lack others. */
  readonly paths: readonly [string, ...string[]];
  /** @param answers in the order of the paths; undefined where one was not answered */
  readonly entries: (answers: readonly (Answer | undefined)[]) => readonly Entry[];
}

const PHASES = PHASE_LETTERS.map((_, index) => index + 1);

/** Quantities that add up over three phases. */
const SUMMED: readonly Quantity[] = [METER.power, METER.current, METER.importEnergy, METER.exportEnergy];
/** Quantities that each phase has, too. */
const OF_PHASES: readonly Quantity[] = [METER.power, METER.voltage, METER.current];

/**
 * The meters of a device of the first generation.
 *
 * @param emeters how many channels it has: three are the phases of one meter, unless a channel is chosen
 */
export function emeters(emeters: number, channel: number | undefined): readonly ShellyMeter[] {
  const path = (id: number): string => `/emeter/${id}`;
  const channels = Array.from({ length: emeters }, (_, id) => id);
  if (emeters === PHASES.length && channel === undefined) {
    return [{ channel, paths: [path(0), path(1), path(2)], entries: threePhases }];
  }
  return channels
    .filter((id) => channel === undefined || id === channel)
    .map((id) => ({
      channel: id,
      paths: [path(id)],
      entries: ([answer]) => entriesOf(answer ?? {}, EMETER_FIELDS),
    }));
}

/** Every meter that a device of a later generation may have, of which it answers its own. */
export function rpcMeters(channel: number | undefined): readonly ShellyMeter[] {
  const chosen = (ids: number): readonly number[] =>
    channel === undefined ? Array.from({ length: ids }, (_, id) => id) : channel < ids ? [channel] : [];
  return [
    ...phaseMeters(channel),
    ...chosen(3).map((id) => withEnergies('EM1', id, EM1_FIELDS, EM1_DATA_FIELDS)),
    ...chosen(1).map((id) => single('PM1', id)),
    ...chosen(4).map((id) => single('Switch', id)),
  ];
}

/** The device's three phases as one meter, or the chosen one of them. */
function phaseMeters(channel: number | undefined): readonly ShellyMeter[] {
  const paths = [status('EM', 0), status('EMData', 0)] as const;
  if (channel === undefined) {
    return [
      {
        channel,
        paths,
        entries: ([em, data]) =>
          withMeanVoltage([...entriesOf(em ?? {}, EM_FIELDS), ...entriesOf(data ?? {}, EM_DATA_FIELDS)]),
      },
    ];
  }
  const letter = PHASE_LETTERS[channel];
  if (letter === undefined) return [];
  return [
    {
      channel,
      paths,
      entries: ([em, data]) => [
        ...entriesOf(em ?? {}, phaseFields(letter)),
        ...entriesOf(data ?? {}, phaseEnergies(letter)),
      ],
    },
  ];
}

function withEnergies(
  component: string,
  id: number,
  fields: typeof EM1_FIELDS,
  energies: typeof EM1_DATA_FIELDS,
): ShellyMeter {
  return {
    channel: id,
    paths: [status(component, id), status(`${component}Data`, id)],
    entries: ([values, data]) => [...entriesOf(values ?? {}, fields), ...entriesOf(data ?? {}, energies)],
  };
}

function single(component: string, id: number): ShellyMeter {
  return {
    channel: id,
    paths: [status(component, id)],
    entries: ([values]) => entriesOf(values ?? {}, PM_FIELDS),
  };
}

function status(component: string, id: number): string {
  return `/rpc/${component}.GetStatus?id=${id}`;
}

function threePhases(answers: readonly (Answer | undefined)[]): readonly Entry[] {
  const phases = answers.map((answer) => entriesOf(answer ?? {}, EMETER_FIELDS));
  const valuesOf = (quantity: Quantity) =>
    phases.flatMap((entries) => entries.filter(([one]) => one === quantity).map(([, value]) => value));
  const totals = SUMMED.flatMap((quantity): readonly Entry[] => {
    const sum = sumOf(valuesOf(quantity));
    return sum === undefined ? [] : [[quantity, sum]];
  });
  const ofPhases = phases.flatMap((entries, index) =>
    entries
      .filter(([quantity]) => OF_PHASES.includes(quantity))
      .map(([quantity, value]): Entry => [ofPhase(quantity, index + 1), value]),
  );
  return withMeanVoltage([...totals, ...ofPhases]);
}

/** Meters of three phases report no voltage of their own: it is the mean of those that are known. */
function withMeanVoltage(entries: readonly Entry[]): readonly Entry[] {
  const names = PHASES.map((phase) => ofPhase(METER.voltage, phase).name);
  const volts = entries.filter(([{ name }]) => names.includes(name)).map(([, value]) => value);
  if (volts.length === 0) return entries;
  const known = volts.filter((value) => typeof value === 'number');
  const mean = known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0) / known.length;
  return [...entries, [METER.voltage, mean]];
}
