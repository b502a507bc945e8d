/** The cloud's test helpers for tests of the whole system. */
export { generate as appCode } from 'otplib';
export { openDatabase } from '../db/open.ts';
export { packDay } from '../features/site-history/day-codec.ts';
export { Factory, PASSWORD } from './factory.ts';
export { PushSubscriber } from './push-subscriber.ts';
export { SoftwareAuthenticator } from './software-authenticator.ts';
