import { once } from 'node:events';
import { connect } from 'node:net';
import { MQTT_HELLO, mqttPublish } from './protocols.ts';
import { type Sent, sentNow } from './sent.ts';

/** Publishes the device's messages to a broker, once a second. */
process.once('message', async ({ message, port }: Sent & { port: number }) => {
  const socket = connect({ port, host: '127.0.0.1' });
  socket.setNoDelay(true);
  socket.write(MQTT_HELLO);
  await once(socket, 'data');
  setInterval(() => socket.write(mqttPublish(sentNow(message))), 1_000);
  process.send?.('publishing');
});
process.once('disconnect', () => process.kill(process.pid));
