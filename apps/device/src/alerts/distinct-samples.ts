import { isUnitKind, type MetricDefinition, topicPrefix } from '@heliograph/metrics';
import type { Sample, Snapshot } from '../poll/snapshot.ts';

const OF_BATTERY = 'battery ';
const OF_LINK = 'Link ';

/** The topic prefix of the unit of a metric, such as `inverter_1`. */
export function unitOf({ device, number }: MetricDefinition): string {
  return topicPrefix(device, number);
}

/** The units of which every value is too old to be true. */
export function silentUnits({ samples }: Snapshot): ReadonlySet<string> {
  const silent = new Map<string, boolean>();
  for (const { definition, stale } of samples.values()) {
    if (!isUnitKind(definition.device) || definition.group === 'Info') continue;
    const unit = unitOf(definition);
    silent.set(unit, stale && (silent.get(unit) ?? true));
  }
  return new Set([...silent].flatMap(([unit, isSilent]) => (isSilent ? [unit] : [])));
}

/**
 * The samples of a built-in rule without those that repeat another one, so that one cause is one alert: an inverter's values
 * of its battery where the battery reports them itself, and the link of further units behind the same connection. A battery
 * that is silent reports nothing, and the link of a unit that is silent is unknown: it is no weak one.
 *
 * @param open topics with an open alert, which stay until it clears
 */
export function distinctSamples(
  samples: readonly Sample[],
  { connections }: Snapshot,
  { silent, open }: { readonly silent: ReadonlySet<string>; readonly open: ReadonlySet<string | null> },
): readonly Sample[] {
  const ofBatteries = new Set(
    samples.flatMap(({ definition: { device, name }, value }) =>
      device === 'batteries' && value !== null ? [name.toLowerCase()] : [],
    ),
  );
  const linkOf = ({ definition }: Sample): string => {
    const unit = unitOf(definition);
    return `${connections?.get(unit) ?? unit} ${definition.name}`;
  };
  const isLink = ({ definition }: Sample): boolean => definition.name.startsWith(OF_LINK);
  const isOpen = ({ definition }: Sample): boolean => open.has(definition.topic);
  const links = new Set(samples.filter((sample) => isLink(sample) && isOpen(sample)).map(linkOf));
  return samples.flatMap((sample) => {
    const { definition } = sample;
    const name = definition.name.toLowerCase();
    if (definition.device === 'inverters' && name.startsWith(OF_BATTERY))
      return ofBatteries.has(name.slice(OF_BATTERY.length)) && !isOpen(sample) ? [] : [sample];
    if (!isLink(sample)) return [sample];
    if (silent.has(unitOf(definition))) return [{ ...sample, value: null }];
    if (isOpen(sample)) return [sample];
    const link = linkOf(sample);
    if (links.has(link)) return [];
    links.add(link);
    return [sample];
  });
}
