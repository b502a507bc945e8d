import { resolve } from 'node:path';

/** The root of the checkout that packages are made from. */
export const CHECKOUT = resolve(import.meta.dirname, '..');
