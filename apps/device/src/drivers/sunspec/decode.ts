import type { DecodedUnit } from '../driver.ts';
import { BadRecording, type Recording } from '../recording.ts';
import { BASES, END_ID, HEADER_REGISTERS, MARKER, type ModelHeader, NOTHING_ID } from './chain.ts';
import { decodeModel, encodeModel } from './codec.ts';
import { type Run, registersIn } from './decode-frames.ts';
import { MAX_REPETITIONS, type ModelFrame } from './model-reader.ts';
import { MODELS } from './models/index.ts';
import type { Model, Point } from './models/point.ts';
import { quantitiesOf, readingOf } from './reading.ts';
import {
  COMMON_ID,
  findRoles,
  type OwnedModel,
  type SunSpecIdentity,
  UNKNOWN_IDENTITY,
  withOwners,
} from './roles.ts';
import { planUnits } from './unit-plan.ts';

type Registers = ReadonlyMap<number, number>;

/** The assumed address of registers without a recorded one. */
const ASSUMED_ADDRESS = 40_002;

/**
 * The models in a recording: of the chain that was walked, else of the runs that begin with a model's header, else
 * the one that the recording names.
 *
 * @param named the model's id, whose registers begin with its header, or right behind it
 * @throws BadRecording when the registers have no known model
 */
function modelsIn(runs: readonly Run[], named: number | undefined): ModelFrame {
  const addressed = runs.map(({ address = ASSUMED_ADDRESS, registers }) => ({ address, registers }));
  const all: Registers = new Map(
    addressed.flatMap(({ address, registers }) =>
      registers.map((register, index) => [address + index, register] as const),
    ),
  );
  const chain = chainIn(all);
  const headers = chain.length > 0 ? chain : addressed.flatMap((run) => headersFrom(run.address, all));
  const known = headers.length > 0 ? headers : [headerOf(named, all)];
  return new Map(known.map((header) => [header, decodeRecorded(header, all)]));
}

function chainIn(all: Registers): readonly ModelHeader[] {
  const base = BASES.find((address) => MARKER.every((register, at) => all.get(address + at) === register));
  return base === undefined ? [] : headersFrom(base + MARKER.length, all);
}

/** The headers from an address on, as far as they were recorded; models that are not known here are stepped over. */
function headersFrom(start: number, all: Registers): readonly ModelHeader[] {
  const headers: ModelHeader[] = [];
  for (let address = start; ; ) {
    const [id, length] = [all.get(address), all.get(address + 1)];
    if (id === undefined || length === undefined || id === END_ID || id === NOTHING_ID) return headers;
    const model = MODELS.get(id);
    // Without a marker before them two numbers are a header only if they could not well be anything else.
    if (model === undefined && headers.length === 0) return headers;
    if (model !== undefined && Math.abs(fixedLength(model, length) - length) > 1) return headers;
    if (model !== undefined) headers.push({ id, address, length });
    address += HEADER_REGISTERS + length;
  }
}

/** The length of a model with as many groups as fit into `length`. */
function fixedLength({ length: fixed, group }: Model, length: number): number {
  if (group === undefined) return fixed;
  return fixed + Math.max(0, Math.floor((length - fixed) / group.length)) * group.length;
}

function headerOf(named: number | undefined, all: Registers): ModelHeader {
  if (named === undefined) {
    throw new BadRecording(
      'nothing tells which SunSpec model this is: there is no chain of models in it, and no "model"',
    );
  }
  const model = MODELS.get(named);
  if (model === undefined) throw new BadRecording(`SunSpec model ${named} is not known here`);
  const address = Math.min(...all.keys()) - HEADER_REGISTERS;
  const groups = repetitionsIn(model, address, all);
  return { id: named, address, length: model.length + groups * (model.group?.length ?? 0) };
}

/** As the model counts them, else as many as were recorded. */
function repetitionsIn({ points, group }: Model, address: number, all: Registers): number {
  if (group === undefined) return 0;
  const offset = points.find(({ name }) => name === group.countPoint)?.offset ?? 0;
  const seen = Math.ceil((Math.max(...all.keys()) + 1 - address - group.offset) / group.length);
  return Math.min(Math.max(0, all.get(address + offset) ?? seen), MAX_REPETITIONS);
}

/** A point counts when all of its registers were recorded; the rest are as if the device did not implement them. */
function decodeRecorded(header: ModelHeader, all: Registers) {
  const model = MODELS.get(header.id);
  if (model === undefined) throw new BadRecording(`SunSpec model ${header.id} is not known here`);
  const { group } = model;
  const capacity = group === undefined ? 0 : Math.floor((header.length - model.length) / group.length);
  const groups = Math.min(Math.max(0, capacity), MAX_REPETITIONS);
  const length = Math.min(header.length, model.length + groups * (group?.length ?? 0));
  const registers = encodeModel(model, {}, { groups: Array.from({ length: groups }, () => ({})), length });
  const put = ({ offset, length: count }: Point, start: number): void => {
    const at = start + offset;
    const recorded = Array.from({ length: count }, (_, index) => all.get(header.address + at + index));
    if (recorded.some((register) => register === undefined) || at + count > registers.length) return;
    for (const [index, register] of recorded.entries()) registers[at + index] = register ?? 0;
  };
  for (const point of model.points) put(point, 0);
  for (let index = 0; group !== undefined && index < groups; index++) {
    for (const point of group.points) put(point, group.offset + index * group.length);
  }
  return decodeModel(model, registers);
}

/** Reported only when the device's own registers hold it. */
const MAKER = 'Manufacturer';

/**
 * Decodes recorded models with the map of live polling: whatever part of a chain there is becomes one inverter, or
 * the meter that stands in for one, and its batteries.
 *
 * @throws BadRecording when a frame must be rejected, or the registers have no known model
 */
export function decode(recording: Recording): readonly DecodedUnit[] {
  const frame: ModelFrame = modelsIn(registersIn(recording), recording.model);
  const fallback = { ...UNKNOWN_IDENTITY, manufacturer: makerNamedIn(recording) };
  const models: readonly OwnedModel[] = withOwners(frame, fallback);
  const [first] = models;
  const hasCommon = models.some(({ header }) => header.id === COMMON_ID);
  return planUnits(findRoles(models), frame, first?.owner ?? fallback).flatMap(
    (plan): readonly DecodedUnit[] => {
      const all = readingOf(plan, frame, 'exact');
      const reading = new Map(
        [...all].filter(([name, value]) => value !== null && (hasCommon || name !== MAKER)),
      );
      const quantities = quantitiesOf(plan).filter(({ name }) => reading.has(name));
      return quantities.length === 0 ? [] : [{ kind: plan.kind, model: plan.model, quantities, reading }];
    },
  );
}

/**
 * The sign of a meter depends on its maker. A part of a chain may lack the maker, which is then taken from the
 * recording's description.
 */
function makerNamedIn({ device = '', id = '' }: Recording): SunSpecIdentity['manufacturer'] {
  return /solar_?edge/i.test(`${device} ${id}`) ? 'SolarEdge' : null;
}
