import { buildChain, recordedBank, startRegisterServer } from '@heliograph/dev/modbus';
import { clockNow } from './clock.ts';

/** Three metrics a string; with the inverter's own, sixty values change every second. */
const STRINGS = 19;

/** Sent by the process when it listens. */
export interface HardwareFacts {
  /** `host:port` of a Modbus TCP server. */
  readonly modbus: string;
}

const HOST = '127.0.0.1';
let reads = 0;
const server = await startRegisterServer({
  host: HOST,
  port: 0,
  readRange: (...request) => recordedBank(chainNow()).readRange(...request),
  write: () => {
    throw new Error('this inverter cannot be written');
  },
});
process.once('disconnect', () => process.exit());
process.send?.({ modbus: `${server.host}:${server.port}` } satisfies HardwareFacts);

/** An inverter whose every reading differs from the one before, and whose power is the time of the reading. */
function chainNow() {
  reads += 1;
  const power = clockNow();
  return buildChain([
    { id: 1, values: { Mn: 'Heliograph', Md: 'Clock', SN: '1' } },
    {
      id: 103,
      values: { W: power, W_SF: 0, DCW: power, DCW_SF: 0, Hz: 49 + (reads % 20) / 10, Hz_SF: -2, St: 4 },
    },
    {
      id: 160,
      values: { DCA_SF: -2, DCV_SF: -1, DCW_SF: 0 },
      groups: Array.from({ length: STRINGS }, (_, index) => ({
        ID: index + 1,
        DCA: 5 + ((reads + index) % 50) / 10,
        DCV: 300 + ((reads + index) % 100),
        DCW: 1_000 + ((reads + index) % 1_000),
      })),
    },
  ]);
}
