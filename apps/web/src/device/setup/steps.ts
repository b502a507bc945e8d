/** The steps of a new device, in order. */
export const SETUP_STEPS = ['hardware', 'time', 'claim'] as const;
export type SetupStep = (typeof SETUP_STEPS)[number];

/** @param search what stands behind the `?` of an address; without a step in it, the first */
export function stepIn(search: string): SetupStep {
  const wanted = new URLSearchParams(search).get('step');
  return SETUP_STEPS.find((step) => step === wanted) ?? SETUP_STEPS[0];
}

export function pathOf(step: SetupStep): string {
  return `/configuration/setup?step=${step}`;
}

/** The path of the next step; the overview follows the last one. */
export function pathAfter(step: SetupStep): string {
  const next = SETUP_STEPS[SETUP_STEPS.indexOf(step) + 1];
  return next === undefined ? '/' : pathOf(next);
}
