import { type HomeOptions, type HomePeriod, runHome } from './home.ts';
import type { RuleCount } from './verdict.ts';

export interface HomeOrder {
  readonly home: HomeOptions;
  readonly period: HomePeriod;
}

export type HomeResult = readonly RuleCount[];

process.once('message', async ({ home, period }: HomeOrder) => {
  process.send?.((await runHome(home, period)) satisfies HomeResult);
  process.disconnect();
});
