import { LineFaults, serveLine } from '@heliograph/dev/serial';
import type { Clock } from '@heliograph/kit';
import { openByteBus } from '../../src/bus/open-bus.ts';
import { openDevice, victron } from '../../src/drivers/victron/family.ts';
import { COMMAND, parseHex, registerAnswer, registerFrame } from '../../src/drivers/victron/hex-frame.ts';
import { answering, block, CHARGER, repeating } from '../drivers/victron/plugged-in.ts';
import { Reaction } from './reaction.ts';
import type { SettableUnit } from './settable-unit.ts';
import type { RegisterSetting } from './written-settings.ts';

/** Longer than on other lines: a charger that misses its first one has no settings. */
const ANSWER_TIMEOUT_MS = 1_000;

/** The flag of an answer that does not accept the value. */
const NOT_ACCEPTED = 4;

const SET = `:${COMMAND.set}`;

/** A simulated solar charger of Victron at a VE.Direct port behind a serial server. */
export async function startVeDirectUnit(clock: Clock): Promise<SettableUnit<RegisterSetting>> {
  const registers: Record<number, readonly number[]> = {
    512: [1],
    8721: [0x20, 0x03],
    8722: [0xcc, 0x06],
    60912: [150, 0],
    60913: [1],
  };
  const faults = new LineFaults();
  const reaction = new Reaction({ clock, faults });
  const writes: string[] = [];
  let count = 0;
  let prepared: RegisterSetting | undefined;

  const answerTo = (text: string): Uint8Array => {
    count += 1;
    if (!text.startsWith(SET)) {
      reaction.beforeRead();
      return answering(registers)(text);
    }
    writes.push(text.trimEnd());
    const { id = 0, value = [] } = registerAnswer(parseHex(text)) ?? {};
    const refusal = reaction.onWrite((state) => {
      registers[id] = state === 'new' ? [...value] : (prepared?.contents[state] ?? []);
    });
    return registerFrame(COMMAND.set, id, refusal === undefined ? 0 : NOT_ACCEPTED, value);
  };
  const served = await serveLine(faults.between(repeating(block(CHARGER), answerTo)), { whole: true });
  const { host, port } = served;
  const bus = openByteBus({ transport: 'serial-tcp', host, port }, victron.line, clock);
  return {
    reset: ({ id, contents }) => {
      reaction.prepare(undefined);
      registers[id] = contents.old;
    },
    behave: (setting, behaviour) => {
      prepared = setting;
      reaction.prepare(behaviour);
      if (behaviour.changedBefore) registers[setting.id] = setting.contents.other ?? [];
    },
    takeRequests: () => {
      const received = { count, writes: writes.splice(0) };
      count = 0;
      return received;
    },
    open: (openClock, readBackTime) =>
      openDevice(bus, { clock: openClock, readBackTime, answerTimeoutMs: ANSWER_TIMEOUT_MS }),
    stop: async () => {
      await bus.close();
      await served.stop();
    },
  };
}
