import { describe, expect, it } from 'vitest';
import { pathAfter, pathOf, SETUP_STEPS, stepIn } from './steps.ts';

describe('the steps of the first setup', () => {
  it('are found again by their address', () => {
    for (const step of SETUP_STEPS) expect(stepIn(new URL(pathOf(step), 'http://x').search)).toBe(step);
  });

  it.each(['', '?step=', '?step=other'])('begin with the hardware: %j', (search) => {
    expect(stepIn(search)).toBe('hardware');
  });

  it('end at the overview', () => {
    expect(SETUP_STEPS.map(pathAfter)).toEqual([pathOf('time'), pathOf('claim'), '/']);
  });
});
