import type { Duplex } from 'node:stream';
import { frameOf, REFUSED } from '@heliograph/device/pi30';
import type { SimulatedPlant } from '../physics/simulated-plant.ts';
import { Pi30Inverter, type Pi30Options } from './inverter.ts';

export type { Pi30Options } from './inverter.ts';

const END = '\r';
const CHECK_LENGTH = 2;
/** Longer than any command: what does not end by then is thrown away. */
const MAX_HELD = 64;

/**
 * The simulated home's inverter on a byte line, as it is behind a serial port.
 *
 * @returns attaches it to a line, and returns what detaches it; it keeps its settings in between
 */
export function pi30Line(plant: SimulatedPlant, options: Pi30Options = {}): (line: Duplex) => () => void {
  const inverter = new Pi30Inverter(plant, options);
  return (line) => {
    let held = '';
    const onData = (bytes: Uint8Array): void => {
      held += Buffer.from(bytes).toString('latin1');
      for (let end = held.indexOf(END); end >= 0; end = held.indexOf(END)) {
        line.write(frameOf(`(${answerTo(inverter, held.slice(0, end + 1))}`));
        held = held.slice(end + 1);
      }
      held = held.slice(-MAX_HELD);
    };
    line.on('data', onData);
    return () => {
      line.off('data', onData);
    };
  };
}

/** A command whose check bytes are wrong is refused. */
function answerTo(inverter: Pi30Inverter, frame: string): string {
  const command = frame.slice(0, -END.length - CHECK_LENGTH);
  const whole = Buffer.from(frameOf(command)).toString('latin1') === frame;
  return whole ? inverter.answer(command) : REFUSED;
}
