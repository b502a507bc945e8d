import { ConfigFile } from './config-file.ts';
import type { Drivers } from './connections.ts';

/** The schema of the configuration file as editors take it: with the drivers there are, and the options of each. */
export function configJsonSchema(drivers: Drivers): object {
  const { connections, ...others } = ConfigFile.properties;
  const { items } = connections;
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    ...ConfigFile,
    properties: {
      ...others,
      connections: {
        ...connections,
        items: {
          ...items,
          properties: {
            ...items.properties,
            driver: { ...items.properties.driver, enum: [...drivers.keys()] },
          },
          allOf: [...drivers.values()].map(({ name, options, unaddressed, readsMeters }) => ({
            if: { properties: { driver: { const: name } } },
            // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema, and no promise
            then: {
              properties: {
                options: options ?? { maxProperties: 0 },
                ...(unaddressed ? { unit: false } : {}),
                ...(readsMeters ? {} : { role: false, reversed: false }),
              },
            },
          })),
        },
      },
    },
  };
}
