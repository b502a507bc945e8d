import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isPortFree } from '../../machine/free-port.ts';
import { type RegisterServer, startRegisterServer } from '../../modbus/index.ts';
import type { SimulatedPlant } from '../physics/simulated-plant.ts';
import { type GxOptions, GxRegisters } from './gx-registers.ts';

const HOST = '127.0.0.1';
const PORT_FILE = 'victron-gx-port';

/**
 * Serves a GX over Modbus TCP, at the port of the last start as long as that is free: a device knows hardware by its
 * address.
 *
 * @param folder where the port is remembered
 */
export async function serveGx(
  folder: string,
  plant: SimulatedPlant,
  options: GxOptions,
): Promise<RegisterServer> {
  const { readRange, write } = new GxRegisters(plant, options);
  const file = join(folder, PORT_FILE);
  const server = await startRegisterServer({ host: HOST, port: await lastPort(file), readRange, write });
  writeFileSync(file, String(server.port), { mode: 0o600 });
  return server;
}

async function lastPort(file: string): Promise<number> {
  const port = existsSync(file) ? Number(readFileSync(file, 'utf8')) : 0;
  return Number.isInteger(port) && port > 0 && port < 65_536 && (await isPortFree(port)) ? port : 0;
}
