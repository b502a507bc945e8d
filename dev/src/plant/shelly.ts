import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { inPieces } from '../machine/in-pieces.ts';
import type { PlantCounters, PlantReading } from './physics/plant.ts';
import type { SimulatedPlant } from './physics/simulated-plant.ts';

export interface ServedShelly {
  readonly host: string;
  readonly port: number;
  stop(): Promise<void>;
}

const HOST = '127.0.0.1';
const MAC = '08F9E0E67204';

/**
 * A Shelly Pro 3EM at the grid connection of the home, as its API is documented:
 * https://shelly-api-docs.shelly.cloud/gen2/ComponentsAndServices/EM and EMData
 *
 * @param port 0 picks a free one
 */
export async function serveShelly(plant: SimulatedPlant, port: number): Promise<ServedShelly> {
  const answers: Readonly<Record<string, () => object>> = {
    '/shelly': () => ({
      mac: MAC,
      model: 'SPEM-003CEBEU',
      gen: 2,
      app: 'Pro3EM',
      ver: '1.4.4',
      auth_en: false,
    }),
    '/rpc/EM.GetStatus?id=0': () => statusOf(plant.reading),
    '/rpc/EMData.GetStatus?id=0': () => energiesOf(plant.state.counters),
  };
  const server = createServer(({ url = '' }, response) => {
    plant.advance();
    const answer = answers[url];
    response.writeHead(answer === undefined ? 404 : 200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(answer?.() ?? { code: 404, message: `No handler for ${url}` }));
  });
  inPieces(server).listen(port, HOST);
  await once(server, 'listening');
  return {
    host: HOST,
    port: (server.address() as AddressInfo).port,
    stop: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

const LETTERS = ['a', 'b', 'c'] as const;

function statusOf({ gridPhasesW, phaseV, hertz, gridW }: PlantReading): object {
  const currents = gridPhasesW.map((watts, phase) => Math.abs(watts) / (phaseV[phase] ?? 1));
  const phases = LETTERS.flatMap((letter, phase) => [
    [`${letter}_act_power`, rounded(gridPhasesW[phase])],
    [`${letter}_voltage`, rounded(phaseV[phase])],
    [`${letter}_current`, rounded(currents[phase])],
    [`${letter}_freq`, rounded(hertz)],
  ]);
  return {
    id: 0,
    ...Object.fromEntries(phases),
    total_act_power: rounded(gridW),
    total_current: rounded(currents.reduce((sum, current) => sum + current, 0)),
  };
}

function energiesOf({ importedWh, exportedWh }: PlantCounters): object {
  return { id: 0, total_act: rounded(importedWh), total_act_ret: rounded(exportedWh) };
}

function rounded(value = 0): number {
  return Math.round(value * 100) / 100;
}
