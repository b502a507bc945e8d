import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Attach, openPty, type Pty, serveLine } from '@heliograph/dev/serial';
import type { BusAddress } from '../../src/bus/address.ts';

/** A line with a simulated device at its end, and its address for a bus. */
export interface TestLine {
  readonly address: BusAddress;
  /** Takes the device away, as pulling its plug does. */
  unplug(): Promise<void>;
  /** Brings it back to the same place. */
  replug(): Promise<void>;
  stop(): Promise<void>;
}

/** A serial port: a real pseudo-terminal, found under a path that stays the same when it is plugged in again. */
export async function serialTestLine(device: Attach, transport: 'modbus-rtu' | 'serial'): Promise<TestLine> {
  const folder = mkdtempSync(join(tmpdir(), 'heliograph-serial-'));
  const path = join(folder, 'ttyUSB0');
  let pty: Pty;
  let detach = (): void => {};
  const plug = (): void => {
    pty = openPty(path);
    detach = device(pty.line);
  };
  const unplug = async (): Promise<void> => {
    detach();
    pty.close();
  };
  plug();
  return {
    address: { transport, path },
    unplug,
    replug: async () => plug(),
    stop: async () => {
      await unplug();
      rmSync(folder, { recursive: true });
    },
  };
}

/** A gateway that passes bytes on: a real TCP port. */
export async function gatewayTestLine(
  device: Attach,
  transport: 'modbus-rtu-tcp' | 'serial-tcp',
): Promise<TestLine> {
  let served = await serveLine(device);
  const { host, port } = served;
  return {
    address: { transport, host, port },
    unplug: () => served.stop(),
    replug: async () => {
      served = await serveLine(device, { host, port });
    },
    stop: () => served.stop(),
  };
}
