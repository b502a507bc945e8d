import { simulatedHome } from '@heliograph/dev/plant';
import { type Pi30Options, pi30Line } from '@heliograph/dev/plant/pi30';
import type { Attach } from '@heliograph/dev/serial';
import { type Clock, ManualClock, systemClock } from '@heliograph/kit';
import type { Hardware } from '../../../src/drivers/driver.ts';
import { openPi30 } from '../../../src/drivers/pi30/family.ts';
import { frameOf } from '../../../src/drivers/pi30/frame.ts';
import { skippedPauses } from '../skipped-pauses.ts';
import { answering, FAST_PACE, observedLine, type PluggedIn, plugInto } from '../voltronic/plugged-in.ts';

export {
  FAST_LINE,
  type PluggedIn,
  read,
} from '../voltronic/plugged-in.ts';

export const NOON = Date.UTC(2026, 5, 21, 12);
export const MIDNIGHT = Date.UTC(2026, 5, 21, 0);

/** The same device; `act` is called with every command, before the device receives it. */
export function observed(device: Attach, act: (command: string) => void): Attach {
  return observedLine(device, commandIn, act);
}

export function plugIn(device: Attach): Promise<PluggedIn> {
  return plugInto(device, commandIn);
}

/** The simulated home's inverter. */
export function simulated(options: Pi30Options = {}, nowMs = NOON): Attach {
  return pi30Line(simulatedHome(new ManualClock(nowMs)), options);
}

/** An inverter with these answers, which refuses all other commands. */
export function scripted(answers: Readonly<Record<string, string | Buffer>>): Attach {
  return answering(commandIn, (command) => {
    const answer = answers[command] ?? 'NAK';
    return typeof answer === 'string' ? frameOf(`(${answer}`) : answer;
  });
}

function commandIn(request: Buffer): string {
  return request.subarray(0, -3).toString('latin1');
}

export function open(
  { bus }: Pick<PluggedIn, 'bus'>,
  options: Record<string, unknown> = {},
  clock: Clock = systemClock,
): Promise<Hardware> {
  return openPi30(
    bus,
    { unit: undefined, options },
    { pace: FAST_PACE, clock, readBackTime: skippedPauses() },
  );
}
