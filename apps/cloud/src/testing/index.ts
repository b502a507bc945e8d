/** The cloud's test helpers for tests of the whole system. */
export { openDatabase } from '../db/open.ts';
export { Factory, PASSWORD } from './factory.ts';
