/** A broker and a client of it, for runs of the whole system. */
export { connectAsync, type MqttClient } from 'mqtt';
export { startBroker } from './test-broker.ts';
