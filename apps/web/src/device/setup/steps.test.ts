import { describe, expect, it } from 'vitest';
import { pathAfter, pathOf, SETUP_STEPS, stepIn } from './steps.ts';

describe('the steps of the first setup', () => {
  it('every step is found again by its path', () => {
    for (const step of SETUP_STEPS) expect(stepIn(new URL(pathOf(step), 'http://x').search)).toBe(step);
  });

  it.each(['', '?step=', '?step=other'])('the setup begins with the hardware at %j', (search) => {
    expect(stepIn(search)).toBe('hardware');
  });

  it('the last step leads to the overview', () => {
    expect(SETUP_STEPS.map(pathAfter)).toEqual([pathOf('time'), pathOf('claim'), '/']);
  });
});
