import type { DecodedUnit } from '../driver.ts';
import {
  type RecordedBlock,
  type RecordingRules,
  recordedBlocks,
  registersInBlocks,
} from '../modbus/recorded-registers.ts';
import { BadRecording, type Recording } from '../recording.ts';
import type { RegisterValues } from '../registers.ts';
import { bindModel, MAX_REPETITIONS } from './bound-model.ts';
import { BASES, END_ID, HEADER_REGISTERS, MARKER, type ModelHeader, NOTHING_ID } from './chain.ts';
import { MODELS } from './models/index.ts';
import type { Model } from './models/point.ts';
import { quantitiesOf, readingOf } from './reading.ts';
import { COMMON_ID, findRoles, type SunSpecIdentity, UNKNOWN_IDENTITY, withOwners } from './roles.ts';
import { planUnits } from './unit-plan.ts';

/** Registers without a recorded address are those behind the marker. */
const RULES: RecordingRules = { framing: 'tcp', oneTable: true, assumedFirst: 40_002 };

/**
 * The models in a recording: of the chain that was walked, else of the blocks that begin with a model's header, else
 * the one that the recording names.
 *
 * @param named the model's id, whose registers begin with its header, or right behind it
 * @throws BadRecording when the registers have no known model
 */
function headersIn(
  blocks: readonly RecordedBlock[],
  all: RegisterValues,
  named: number | undefined,
): readonly ModelHeader[] {
  const chain = chainIn(all);
  if (chain.length > 0) return chain;
  const headers = blocks.flatMap(({ address }) => headersFrom(address, all));
  return headers.length > 0 ? distinct(headers) : [headerOf(named, all)];
}

/** A block may begin with a model that the block before it leads to. */
function distinct(headers: readonly ModelHeader[]): readonly ModelHeader[] {
  return [...new Map(headers.map((header) => [header.address, header])).values()];
}

function chainIn(all: RegisterValues): readonly ModelHeader[] {
  const base = BASES.find((address) => MARKER.every((register, at) => all.get(address + at) === register));
  return base === undefined ? [] : headersFrom(base + MARKER.length, all);
}

/** The headers from an address on, as far as they were recorded; models that are not known here are stepped over. */
function headersFrom(start: number, all: RegisterValues): readonly ModelHeader[] {
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

function headerOf(named: number | undefined, all: RegisterValues): ModelHeader {
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
function repetitionsIn({ points, group }: Model, address: number, all: RegisterValues): number {
  if (group === undefined) return 0;
  const offset = points.find(({ name }) => name === group.countPoint)?.offset ?? 0;
  const seen = Math.ceil((Math.max(...all.keys()) + 1 - address - group.offset) / group.length);
  return Math.min(Math.max(0, all.get(address + offset) ?? seen), MAX_REPETITIONS);
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
  const blocks = recordedBlocks(recording, RULES);
  const frame = registersInBlocks(blocks);
  const fallback = { ...UNKNOWN_IDENTITY, manufacturer: makerNamedIn(recording) };
  const bound = headersIn(blocks, frame, recording.model).map((header) => bindModel(header));
  const models = withOwners(bound, frame, fallback);
  const [first] = models;
  const hasCommon = bound.some(({ header }) => header.id === COMMON_ID);
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
