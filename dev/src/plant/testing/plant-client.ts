import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { decodeModel, type ModelValues, modelById } from '@heliograph/device/sunspec';
import { ManualClock, type Running, silentLogger } from '@heliograph/kit';
import modbusSerial from 'modbus-serial';
import { expect } from 'vitest';
import { type PlantFacts, type PlantOptions, startPlant } from '../start-plant.ts';

export const NOON = Date.UTC(2026, 5, 21, 12);
export const MIDNIGHT = Date.UTC(2026, 5, 21, 0);

const ModbusClient = modbusSerial.default;
export type Client = InstanceType<typeof ModbusClient>;
/** The models by their number, as a monitoring device finds them. */
export type Chain = ReadonlyMap<number, ModelValues & { readonly address: number }>;

const plants: Running<PlantFacts>[] = [];
const clients: Client[] = [];
const folders: string[] = [];

/** Ends what the plants of a test opened: for `afterEach`. */
export async function stopPlants(): Promise<void> {
  for (const client of clients.splice(0)) client.close(() => {});
  for (const plant of plants.splice(0)) await plant.stop();
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
}

/** A path in a folder that goes away after the test, when its plants have stopped. */
export function temporaryFile(name: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'plant-'));
  folders.push(folder);
  return join(folder, name);
}

/** A plant whose clock the test turns, and a client of its Modbus server; both end with the test. */
export async function startTestPlant(nowMs: number, options: PlantOptions = {}) {
  const clock = new ManualClock(nowMs);
  const plant = await startPlant({ clock, logger: silentLogger, ...options });
  plants.push(plant);
  return { clock, plant, client: await connect(plant.facts.modbus) };
}

async function connect(address: string): Promise<Client> {
  const [host = '', port] = address.split(':');
  const client = new ModbusClient();
  await client.connectTCP(host, { port: Number(port) });
  client.setID(1);
  clients.push(client);
  return client;
}

/** Walks the chain as the SunSpec Information Model defines it: marker, then headers until 0xFFFF. */
export async function readChain(client: Client, between: () => void = () => {}): Promise<Chain> {
  const read = async (address: number, count: number) => {
    between();
    return (await client.readHoldingRegisters(address, count)).data;
  };
  expect(await read(40_000, 2)).toEqual([0x5375, 0x6e53]);
  const chain = new Map<number, ModelValues & { readonly address: number }>();
  for (let address = 40_002; ; ) {
    const [id = 0, length = 0] = await read(address, 2);
    if (id === 0xffff) {
      expect(length).toBe(0);
      return chain;
    }
    const registers = await read(address, Math.min(length + 2, 125));
    // The battery's nameplate stands second.
    if (!chain.has(id)) chain.set(id, { ...decodeModel(modelById(id), registers), address });
    address += length + 2;
  }
}

/** A point that must be a number. */
export function number(chain: Chain, model: number, point: string): number {
  const value = chain.get(model)?.points[point];
  if (typeof value !== 'number') throw new Error(`${model}.${point} is ${value}`);
  return value;
}

/** The powers that a monitoring device derives from the registers. */
export function powers(chain: Chain) {
  const module = (index: number) => Number(chain.get(160)?.groups[index]?.DCW);
  return {
    pv: module(0) + module(1),
    battery: module(2) - module(3),
    grid: number(chain, 203, 'W'),
    ac: number(chain, 103, 'W'),
  };
}

/** Writes one point and returns the exception code, 0 when it was taken. */
export async function write(
  client: Client,
  model: number,
  point: string,
  raw: number | number[],
): Promise<number> {
  const chain = await readChain(client);
  const offset = modelById(model).points.find(({ name }) => name === point)?.offset;
  const address = (chain.get(model)?.address ?? 0) + (offset ?? 0);
  const values = (Array.isArray(raw) ? raw : [raw]).map((value) => value & 0xffff);
  const answer =
    values.length === 1
      ? client.writeRegister(address, values[0] ?? 0)
      : client.writeRegisters(address, values);
  return answer.then(
    () => 0,
    (error: { modbusCode?: number }) => error.modbusCode ?? -1,
  );
}
