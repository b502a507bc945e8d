import type { MetricValue, Quantity } from '@heliograph/metrics';
import type { DecodedUnit } from '../driver.ts';
import type { Recording } from '../recording.ts';
import { registersIn } from './decode-frames.ts';
import { modelsIn } from './decode-models.ts';
import type { ModelFrame } from './model-reader.ts';
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

/** As exact as it was recorded. */
const unrounded = (_quantity: Quantity, value: MetricValue): MetricValue => value;

/** Told of a device only where its own registers tell it. */
const MAKER = 'Manufacturer';

/**
 * Decodes recorded models with the map of live polling: whatever part of a chain there is becomes one inverter, or
 * the meter that stands in for one, and its batteries.
 *
 * @throws BadRecording when a frame must be rejected, or nothing tells what the registers are
 */
export function decode(recording: Recording): readonly DecodedUnit[] {
  const frame: ModelFrame = modelsIn(registersIn(recording), recording.model);
  const nobody = { ...UNKNOWN_IDENTITY, manufacturer: makerNamedIn(recording) };
  const models: readonly OwnedModel[] = withOwners(frame, nobody);
  const [first] = models;
  const told = models.some(({ header }) => header.id === COMMON_ID);
  return planUnits(findRoles(models), frame, first?.owner ?? nobody).flatMap(
    (plan): readonly DecodedUnit[] => {
      const all = readingOf(plan, frame, unrounded);
      const reading = new Map([...all].filter(([name, value]) => value !== null && (told || name !== MAKER)));
      const quantities = quantitiesOf(plan).filter(({ name }) => reading.has(name));
      return quantities.length === 0 ? [] : [{ kind: plan.kind, model: plan.model, quantities, reading }];
    },
  );
}

/**
 * Which way a meter counts depends on its maker, whom a part of a chain may leave out; the recording's own words on
 * what it is of then tell.
 */
function makerNamedIn({ device = '', id = '' }: Recording): SunSpecIdentity['manufacturer'] {
  return /solar_?edge/i.test(`${device} ${id}`) ? 'SolarEdge' : null;
}
