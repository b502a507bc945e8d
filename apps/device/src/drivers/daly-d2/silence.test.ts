import { duplexPair } from 'node:stream';
import { type Attach, openPty, rtuUnits } from '@heliograph/dev/serial';
import { systemClock } from '@heliograph/kit';
import { afterEach, expect, it } from 'vitest';
import { capturesIn } from '../../../test/drivers/captures.ts';
import { LinkDown } from '../../bus/failures.ts';
import { openModbusBus } from '../../bus/open-bus.ts';
import { loadFamilies } from '../families/families.ts';
import { recordedRegisters } from '../modbus/recorded-registers.ts';

const UNIT = 210;
const FIRST_REGISTER_OFFSET = 2;

const running: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const stop of running.splice(0).reverse()) await stop();
});

/** The recorded board, which keeps silent to requests from this register on. */
function board(id: string, silentFrom: number): Attach {
  const recording = capturesIn(import.meta.dirname).find((capture) => capture.id === id);
  if (recording === undefined) throw new Error(`there is no capture ${id}`);
  const registers = recordedRegisters(recording);
  const bank = {
    readRange: (_unit: number, first: number, count: number) => {
      const values = Array.from({ length: count }, (_, index) => registers.get(first + index));
      return values.every((value) => value !== undefined) ? values : undefined;
    },
    write: () => expect.fail('a board is not written to'),
  };
  return (line) => {
    const [near, far] = duplexPair();
    const detach = rtuUnits(bank, [UNIT])(far);
    const forward = (request: Buffer): void => {
      if (request.readUInt16BE(FIRST_REGISTER_OFFSET) < silentFrom) near.write(request);
    };
    line.on('data', forward);
    near.on('data', (answer: Buffer) => line.write(answer));
    return () => {
      line.off('data', forward);
      detach();
      near.destroy();
    };
  };
}

async function open(attach: Attach) {
  const family = (await loadFamilies({ wanted: ['daly-d2'] })).get('daly-d2');
  if (family?.speaks !== 'modbus') throw new Error('there is no profile daly-d2');
  const pty = openPty();
  const detach = attach(pty.line);
  const bus = openModbusBus({ transport: 'modbus-rtu', path: pty.path }, family.line, systemClock, {
    answerTimeoutMs: 300,
  });
  running.push(() => {
    detach();
    pty.close();
  });
  running.push(() => bus.close());
  const hardware = await family.open(bus, { unit: UNIT, options: {} });
  return Object.fromEntries((await hardware.poll())[0] ?? []);
}

it('a board that keeps silent to registers that it lacks is read without them', async () => {
  const reading = await open(board('daly_d2_8s_no_alarm', 62));
  expect(reading).toMatchObject({ Voltage: 27.1, 'Cell voltage 8': 3.339, Alarms: 'None' });
  expect(reading).not.toHaveProperty('Temperature MOS');
});

it('a board that has them is read with them', async () => {
  expect(await open(board('daly_d2_16s_a', 0xffff))).toMatchObject({
    Current: -2.5,
    'Temperature MOS': 15,
    'Balance current': 0,
  });
});

it('a board that keeps silent to its values is not there', async () => {
  await expect(open(board('daly_d2_8s_no_alarm', 0))).rejects.toThrow(LinkDown);
});
