import { buildChain, recordedBank, startRegisterServer } from '@heliograph/dev/modbus';
import { startPlant } from '@heliograph/dev/plant';
import { silentLogger } from '@heliograph/kit';

/** Homes with an inverter and a battery each. */
const HOMES = 4;

/** Sent by the process when everything listens. */
export interface HardwareFacts {
  /** `host:port` of Modbus TCP servers, one a home. */
  readonly homes: readonly string[];
  /** The same of an inverter whose power this process sets. */
  readonly dial: string;
}

/** Sets the dial, in watts; answered with when it was done. */
export interface DialOrder {
  readonly powerW: number;
}
export interface DialAnswer {
  /** Milliseconds since the epoch, with fractions. */
  readonly setAt: number;
}

const HOST = '127.0.0.1';

let bank = dialAt(0);
process.on('message', ({ powerW }: DialOrder) => {
  bank = dialAt(powerW);
  process.send?.({ setAt: performance.timeOrigin + performance.now() } satisfies DialAnswer);
});
process.once('disconnect', () => process.exit());

const homes = await Promise.all(
  Array.from({ length: HOMES }, (_, home) =>
    startPlant({ host: HOST, seed: home + 1, startMs: Date.UTC(2026, 5, 21, 12), logger: silentLogger }),
  ),
);
const dial = await startRegisterServer({
  host: HOST,
  port: 0,
  readRange: (...request) => bank.readRange(...request),
  write: (...request) => bank.write(...request),
});
process.send?.({
  homes: homes.map(({ facts }) => facts.modbus),
  dial: `${dial.host}:${dial.port}`,
} satisfies HardwareFacts);

/** A small inverter with nothing but its power. */
function dialAt(powerW: number) {
  return recordedBank(
    buildChain([
      { id: 1, values: { Mn: 'Heliograph', Md: 'Dial', SN: '1' } },
      { id: 103, values: { W: powerW, W_SF: 0, DCW: powerW, DCW_SF: 0, St: 4 } },
    ]),
  );
}
