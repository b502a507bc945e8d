import { YamlSource } from '../common/yaml/source.ts';
import { readConfigText } from './read-config-file.ts';

/**
 * The drivers that a configuration file names, so that only their maps need to be loaded before it is checked.
 *
 * @returns undefined when the file cannot be read that far: the check reports the reason
 */
export function configuredDrivers(file: string): readonly string[] | undefined {
  try {
    return driversIn(readConfigText(file) ?? '');
  } catch {
    return undefined;
  }
}

/** @param text of a configuration file @returns as `configuredDrivers` */
export function driversIn(text: string): readonly string[] | undefined {
  try {
    const { value, yamlErrors } = new YamlSource(text);
    if (yamlErrors.length > 0) return undefined;
    const { connections = [] } = value as { connections?: unknown[] };
    return connections.map((connection) => String((connection as { driver?: unknown }).driver));
  } catch {
    return undefined;
  }
}
