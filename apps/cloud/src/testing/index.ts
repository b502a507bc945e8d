/** What tests of the whole system use of the cloud's own test helpers. */
export { openDatabase } from '../db/open.ts';
export { Factory, PASSWORD } from './factory.ts';
