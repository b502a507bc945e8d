import { execFileSync } from 'node:child_process';
import { CHECKOUT } from './checkout.ts';

/**
 * The time that packaged files bear, in seconds since 1970: of the last commit, so that the same sources make the same package;
 * or `SOURCE_DATE_EPOCH`.
 */
export function releaseTimeS(): number {
  const { SOURCE_DATE_EPOCH: given } = process.env;
  if (given !== undefined && given !== '') return Number(given);
  return Number(execFileSync('git', ['log', '-1', '--format=%ct'], { cwd: CHECKOUT, encoding: 'utf8' }));
}
