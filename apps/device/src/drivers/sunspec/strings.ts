import { quantities } from '@heliograph/metrics';
import type { Values } from './codec.ts';
import type { Measurement } from './measurement.ts';
import type { ModelFrame } from './model-reader.ts';
import { isPvModule, isPvPort } from './powers.ts';
import type { OwnedModel, Roles } from './roles.ts';

/** What is known of each PV string, and the point that models 160 and 714 both have it in. */
export const STRING_QUANTITIES = [
  { make: quantities.power, name: 'PV power', point: 'DCW' },
  { make: quantities.voltage, name: 'PV voltage', point: 'DCV' },
  { make: quantities.current, name: 'PV current', point: 'DCA' },
] as const;

/** One set of measurements per PV string, counted from 1. */
export function stringMeasurements({ mppt, dcPorts }: Roles, opened: ModelFrame): readonly Measurement[] {
  if (mppt !== undefined) return ofGroups(mppt, isPvModule, opened);
  return dcPorts === undefined ? [] : ofGroups(dcPorts, isPvPort, opened);
}

function ofGroups(
  { header }: OwnedModel,
  isPv: (group: Values) => boolean,
  opened: ModelFrame,
): readonly Measurement[] {
  const strings = (opened.get(header)?.groups ?? [])
    .map((group, index) => ({ group, index }))
    .filter(({ group }) => isPv(group));
  return strings.flatMap(({ group, index }, string) =>
    STRING_QUANTITIES.filter(({ point }) => typeof group[point] === 'number').map(
      ({ make, name, point }) => ({
        quantity: make(`${name} ${string + 1}`),
        read: (frame: ModelFrame) => {
          const model = frame.get(header);
          return model === undefined ? undefined : (model.groups[index]?.[point] ?? null);
        },
      }),
    ),
  );
}
