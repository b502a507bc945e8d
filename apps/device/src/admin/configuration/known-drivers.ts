import type { DriverDescription, DriverOption } from '@heliograph/contracts';
import type { Drivers } from '../../config/connections.ts';
import { isSecretField } from '../../config/secret-fields.ts';
import { type DriverFamily, serialLineOf } from '../../drivers/driver.ts';
import { transportsOf } from '../../drivers/transports.ts';

/** All drivers, with the facts needed to connect hardware. */
export function knownDrivers(drivers: Drivers): DriverDescription[] {
  return [...drivers.values()].map((family) => ({
    name: family.name,
    title: family.title,
    transports: [...transportsOf(family)],
    has_units: family.unaddressed !== true,
    usual_units: [...(family.probe?.units ?? [])],
    baud_rate: serialLineOf(family)?.baudRate ?? null,
    reads_meters: family.readsMeters === true,
    options: optionsOf(family),
  }));
}

/** The parts of an option's schema that are read here. */
interface OptionSchema {
  readonly description?: string;
  readonly type?: string;
  readonly enum?: readonly (string | number)[];
  readonly anyOf?: readonly { readonly const?: string | number }[];
}

function optionsOf({ options }: DriverFamily): DriverOption[] {
  return Object.entries(options?.properties ?? {}).map(([name, schema]) => {
    const { description, type = '', enum: values, anyOf }: OptionSchema = schema;
    const choices = values ?? anyOf?.flatMap((choice) => choice.const ?? []) ?? [];
    const plain = isSecretField(name) ? 'secret' : 'text';
    const kind = choices.length > 0 ? 'choice' : (KINDS[type] ?? plain);
    return { name, description: description ?? null, type: kind, choices: [...choices] };
  });
}

const KINDS: Readonly<Record<string, DriverOption['type']>> = {
  integer: 'number',
  number: 'number',
  boolean: 'boolean',
};
