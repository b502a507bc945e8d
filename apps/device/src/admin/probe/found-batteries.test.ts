import { type Attach, openPty, rtuUnits } from '@heliograph/dev/serial';
import { systemClock } from '@heliograph/kit';
import { expect, it, vi } from 'vitest';
import { recordedBattery } from '../../../test/drivers/ascii-frame/recorded-battery.ts';
import { type Capture, capturesIn } from '../../../test/drivers/captures.ts';
import { boardFrame, simulatedBoard } from '../../../test/drivers/daly/board.ts';
import { recordedLine } from '../../../test/drivers/recorded-line.ts';
import { runningUntilTheEnd } from '../../../test/running.ts';
import { loadFamilies } from '../../drivers/families/families.ts';
import { recordedRegisters } from '../../drivers/modbus/recorded-registers.ts';
import { exchangesIn } from '../../drivers/recorded-exchanges.ts';
import type { Recording } from '../../drivers/recording.ts';
import { attemptsAt } from './attempts.ts';
import { connectionEntry } from './connection-entry.ts';
import { probeBus } from './probe-bus.ts';

const families = [...(await loadFamilies()).values()];

const running = runningUntilTheEnd();

/** @returns the path of the port that the hardware is plugged into */
function plugIn(attach: Attach): string {
  const pty = openPty();
  const detach = attach(pty.line);
  running.push({ stop: () => pty.close() }, { stop: detach });
  return pty.path;
}

function capture(family: string, id: string): Capture {
  const folder = `${import.meta.dirname}/../../drivers/${family}`;
  const found = capturesIn(folder).find((one) => one.id === id);
  if (found === undefined) throw new Error(`there is no capture ${id}`);
  return found;
}

const recorded = (recording: Recording) =>
  recordedLine(exchangesIn(recording).map(({ request, response }) => [request, response]));

/** Answers for every unit and command that a recording of an ASCII frame has. */
const asciiBattery = (recording: Capture, version: number, address: number, code: number): Attach =>
  recordedBattery({ version, address, answers: new Map([[code, recording.response?.ascii ?? '']]) });

function dalyBoard(): Attach {
  const answers = new Map(
    ['daly_a5_16s', 'daly_a5_16s_discharging']
      .flatMap((id) => exchangesIn(capture('daly', id)))
      .map(({ request, response }) => [request.readUInt8(2), response] as const),
  );
  return simulatedBoard({ hosts: [0x40], answers: new Map([...answers, [0x98, boardFrame(0x98)]]) });
}

/** Answers of a busy machine come later than a probe in a hurry waits: it is repeated then. */
const PATIENCE = { timeout: 60_000, interval: 1 };

async function foundAt(transport: 'serial' | 'modbus-rtu', path: string) {
  const soon = {
    answerMs: 300,
    silenceMs: 150,
    recognitionMs: 8_000,
    knock: { silenceMs: 50, answerMs: 100, lateMs: 100, unaskedMs: 100 },
  };
  const { findings } = await probeBus(
    attemptsAt({ transport, path }, families, undefined),
    systemClock,
    soon,
  );
  return findings.map(connectionEntry);
}

it.concurrent.each<[string, string, () => Attach]>([
  ['a Daly board with A5 frames', 'daly', dalyBoard],
  ['a Daly board with the 81 protocol', 'daly', () => recorded(capture('daly', 'daly_81_16s_discharging'))],
  ['a JBD BMS with DD frames', 'jbd', () => recorded(capture('jbd', 'jbd_4s_idle'))],
  ['a JBD BMS of the UP series', 'jbd', () => recorded(capture('jbd', 'jbd_up_16s_addr1'))],
  [
    'a PACE battery',
    'pace',
    () => asciiBattery(capture('pace', 'pace_rs485_16s_discharging'), 0x25, 1, 0x42),
  ],
  [
    'a Seplos V2 battery',
    'seplos-v2',
    () => asciiBattery(capture('seplos-v2', 'seplos_v2_16s_discharging'), 0x20, 0, 0x42),
  ],
])('a probe of all families finds %s on a serial port', async (_what, driver, battery) => {
  const path = plugIn(battery());
  await vi.waitFor(
    async () => expect(await foundAt('serial', path)).toEqual([{ driver, bus: `serial://${path}` }]),
    PATIENCE,
  );
});

it.concurrent('a probe of all families finds a Daly board at Modbus unit 210', async () => {
  const registers = recordedRegisters(capture('daly-d2', 'daly_d2_16s_a'));
  const bank = {
    readRange: (_unit: number, first: number, count: number) => {
      const values = Array.from({ length: count }, (_, index) => registers.get(first + index));
      return values.every((value) => value !== undefined) ? values : undefined;
    },
    write: () => expect.fail('a probe writes nothing'),
  };
  const path = plugIn(rtuUnits(bank, [210]));
  await vi.waitFor(
    async () =>
      expect(await foundAt('modbus-rtu', path)).toEqual([{ driver: 'daly-d2', bus: `modbus-rtu://${path}` }]),
    PATIENCE,
  );
});
