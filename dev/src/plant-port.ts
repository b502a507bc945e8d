import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { writePrivateFile } from './data-folder/private-file.ts';
import { isPortFree } from './machine/free-port.ts';

const NAME = 'plant-port';

/**
 * The plant's port of the last start, as long as it is free: the device knows hardware by its address, and an
 * inverter at another one would be another inverter. 0 when there is none.
 */
export async function lastPlantPort(dataFolder: string): Promise<number> {
  const text = await readFile(join(dataFolder, NAME), 'utf8').catch(() => '');
  const port = Number(text);
  return Number.isInteger(port) && port > 0 && port < 65_536 && (await isPortFree(port)) ? port : 0;
}

export async function rememberPlantPort(dataFolder: string, modbus: string): Promise<void> {
  await writePrivateFile(join(dataFolder, NAME), modbus.slice(modbus.lastIndexOf(':') + 1));
}
