import { once } from 'node:events';
import type { Duplex } from 'node:stream';
import { openPty, type Pty } from '@heliograph/dev/serial';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openSerialPort } from './serial-port.ts';

const LINE = { baudRate: 115_200, parity: 'none', stopBits: 1 } as const;

let pty: Pty;
let port: Duplex;

beforeEach(async () => {
  pty = openPty();
  port = await openSerialPort(pty.path, LINE);
});

afterEach(() => {
  port.destroy();
  pty.close();
});

it('the stream ends when an idle port is unplugged', async () => {
  const failed = once(port, 'error');
  port.resume();
  pty.close();
  await expect(failed).resolves.toMatchObject([{ message: 'the port was unplugged' }]);
  if (!port.closed) await once(port, 'close');
});

it('the stream ends when a port is unplugged between two reads', async () => {
  const failed = once(port, 'error');
  port.once('data', () => pty.close());
  pty.line.write('V\t12');
  await expect(failed).resolves.toMatchObject([{ message: 'the port was unplugged' }]);
  if (!port.closed) await once(port, 'close');
});

it('a port yields its bytes, and can be opened again as soon as it is closed', async () => {
  for (let times = 0; times < 20; times++) {
    pty.line.write(`${times}`);
    let received = '';
    while (received.length < `${times}`.length) received += (await once(port, 'data'))[0];
    expect(received).toBe(`${times}`);
    await once(port.destroy(), 'close');
    port = await openSerialPort(pty.path, LINE);
  }
});
