/** What a new device needs, in order. */
export const STEPS = ['hardware', 'time', 'claim'] as const;
export type Step = (typeof STEPS)[number];

/** @param search what stands behind the `?` of an address; without a step in it, the first */
export function stepIn(search: string): Step {
  const wanted = new URLSearchParams(search).get('step');
  return STEPS.find((step) => step === wanted) ?? STEPS[0];
}

export function pathOf(step: Step): string {
  return `/configuration/setup?step=${step}`;
}

/** Where it goes on; behind the last step is the overview. */
export function pathAfter(step: Step): string {
  const next = STEPS[STEPS.indexOf(step) + 1];
  return next === undefined ? '/' : pathOf(next);
}
